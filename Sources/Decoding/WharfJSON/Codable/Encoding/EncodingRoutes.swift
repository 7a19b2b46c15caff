/// A way to write values of one type without calling its `encode(to:)`.
///
/// It exists because a strategy applies, or because it is faster.
package class CodableEncodingRoute {
    /// - Parameter value: points to a value of the route's type.
    func write(_ value: UnsafeRawPointer, _ encoder: JSONSlotEncoder) throws {}
}

/// The route of one type.
package final class CodableEncodingRouteOf<Value>: CodableEncodingRoute {
    private let write: (Value, JSONSlotEncoder) throws -> Void

    package init(_ write: @escaping (Value, JSONSlotEncoder) throws -> Void) {
        self.write = write
    }

    override func write(_ value: UnsafeRawPointer, _ encoder: JSONSlotEncoder) throws {
        try write(value.assumingMemoryBound(to: Value.self).pointee, encoder)
    }
}

/// A type that ``CodableJSONEncoder`` may write without calling its `encode(to:)`.
package protocol CodableEncodingRouted: Encodable {
    /// - Returns: a `CodableEncodingRouteOf<Self>`, or nil to use `encode(to:)` after all.
    static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute?
}

extension EncodedTree {
    @inline(__always) func encodingRoute<Value: Encodable>(for type: Value.Type) -> Unmanaged<CodableEncodingRoute>? {
        routes.entry(for: ObjectIdentifier(Value.self)) { findRoute(Value.self) }
    }

    @inline(never) private func findRoute<Value: Encodable>(_ type: Value.Type) -> CodableEncodingRoute? {
        // The cast guards the pointer in `write`: a route of another type would read other memory.
        (type as? any CodableEncodingRouted.Type)?.encodingRoute(in: options) as? CodableEncodingRouteOf<Value>
    }
}

extension CodableEncodingRouted where Self: FixedWidthInteger {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<Self> { value, encoder in
            encoder.tree.fill(encoder.place.index) { $0.append(number: value) }
        }
    }
}

extension Int: CodableEncodingRouted {}
extension Int8: CodableEncodingRouted {}
extension Int16: CodableEncodingRouted {}
extension Int32: CodableEncodingRouted {}
extension Int64: CodableEncodingRouted {}
extension UInt: CodableEncodingRouted {}
extension UInt8: CodableEncodingRouted {}
extension UInt16: CodableEncodingRouted {}
extension UInt32: CodableEncodingRouted {}
extension UInt64: CodableEncodingRouted {}

extension Bool: CodableEncodingRouted {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<Self> { $1.encode($0) }
    }
}

extension String: CodableEncodingRouted {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<Self> { $1.encode($0) }
    }
}

extension Double: CodableEncodingRouted {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<Self> { try $1.encode($0) }
    }
}

extension Float: CodableEncodingRouted {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<Self> { try $1.encode($0) }
    }
}

extension Optional: CodableEncodingRouted where Wrapped: Encodable {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<Self> { value, encoder in
            if let value { try encoder.encode(value) } else { encoder.encodeNil() }
        }
    }
}

extension Array: CodableEncodingRouted where Element: Encodable {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<Self> { values, encoder in
            encoder.tree.open(encoder.place.index, as: .array)
            let slots = UnkeyedSlots(encoder.tree, encoder.place)
            for value in values { try slots.encode(value) }
        }
    }
}

/// The keys of a dictionary are data, which no key strategy converts.
extension Dictionary: CodableEncodingRouted where Key: Encodable, Value: Encodable {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        guard Key.self == String.self else { return nil }
        return CodableEncodingRouteOf<[String: Value]> { values, encoder in
            let (tree, place) = (encoder.tree, encoder.place)
            tree.open(place.index, as: .object)
            // The keys of a dictionary differ from each other. Only members written before can have
            // the same key.
            let isEmpty = tree.nodes[place.index].count == 0
            for (key, value) in values {
                let slot = try tree.slot(encoding: value, ElementKey(dictionaryKey: key), in: place)
                if isEmpty {
                    tree.insert(slot, distinct: key, into: place.index)
                } else {
                    tree.insert(slot, key, into: place.index)
                }
            }
        }
    }
}
