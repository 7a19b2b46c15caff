/// A way to read values of one type without calling its `init(from:)`.
///
/// It exists because a strategy applies, or because it is faster.
package class CodableRoute {
    /// Initialises `target`, which is memory for one value of the route's type.
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

/// A type that ``CodableJSONDecoder`` may read without calling its `init(from:)`.
package protocol CodableRouted: Decodable {
    /// - Returns: a `CodableRouteOf<Self>`, or nil to use `init(from:)` after all.
    static func route(in decoder: CodableJSONDecoder) -> CodableRoute?
}

extension CodableDocument {
    @inline(__always) func route<Value: Decodable>(for type: Value.Type) -> Unmanaged<CodableRoute>? {
        routes.entry(for: ObjectIdentifier(Value.self)) { findRoute(Value.self) }
    }

    @inline(never) private func findRoute<Value: Decodable>(_ type: Value.Type) -> CodableRoute? {
        (type as? any CodableRouted.Type)?.route(in: options) as? CodableRouteOf<Value>
    }

    /// - Parameter route: a route for `Value`, as returned by `route(for:)`.
    @inline(never) func decode<Value>(_ route: Unmanaged<CodableRoute>, _ decoder: JSONNodeDecoder) throws -> Value {
        try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { target in
            // The memory holds one value, and `read` initialises it unless it throws.
            let value = target.baseAddress.unsafelyUnwrapped
            try route._withUnsafeGuaranteedRef { try $0.read(decoder, into: UnsafeMutableRawPointer(value)) }
            return value.move()
        }
    }
}
