/// How values of one type are read other than by asking the type: because a strategy says so, or
/// because it is faster.
package class CodableRoute {
    /// Initialises `target`, which is memory for one value of the type that the route was made for.
    func read(_ decoder: JSONNodeDecoder, into target: UnsafeMutableRawPointer) throws {}
}

/// The route of one type.
package final class CodableRouteOf<Value>: CodableRoute {
    private let read: (JSONNodeDecoder) throws -> Value

    package init(_ read: @escaping (JSONNodeDecoder) throws -> Value) {
        self.read = read
    }

    override func read(_ decoder: JSONNodeDecoder, into target: UnsafeMutableRawPointer) throws {
        target.initializeMemory(as: Value.self, to: try read(decoder))
    }
}

/// A type that ``CodableJSONDecoder`` does not simply ask to decode itself.
package protocol CodableRouted: Decodable {
    /// - Returns: a `CodableRouteOf<Self>`, or nil where the type decodes itself after all.
    static func route(in decoder: CodableJSONDecoder) -> CodableRoute?
}

extension CodableDocument {
    @inline(__always) func route<Value: Decodable>(for type: Value.Type) -> Unmanaged<CodableRoute>? {
        routes.entry(for: ObjectIdentifier(Value.self)) { findRoute(Value.self) }
    }

    @inline(never) private func findRoute<Value: Decodable>(_ type: Value.Type) -> CodableRoute? {
        (type as? any CodableRouted.Type)?.route(in: options) as? CodableRouteOf<Value>
    }

    /// - Parameter route: made for `Value`, as by `route(for:)`.
    @inline(never) func decode<Value>(_ route: Unmanaged<CodableRoute>, _ decoder: JSONNodeDecoder) throws -> Value {
        try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { target in
            // One value fits, and `read` initialises it unless it throws.
            let value = target.baseAddress.unsafelyUnwrapped
            try route._withUnsafeGuaranteedRef { try $0.read(decoder, into: UnsafeMutableRawPointer(value)) }
            return value.move()
        }
    }
}
