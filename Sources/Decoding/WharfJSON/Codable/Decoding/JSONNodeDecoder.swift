/// The decoder that a type's `init(from:)` gets for a value of a document.
///
/// It can be kept and used after the call.
package struct JSONNodeDecoder: Decoder {
    let document: CodableDocument
    let place: CodingPlace

    @inline(__always) init(_ document: CodableDocument, _ place: CodingPlace) {
        self.document = document
        self.place = place
    }

    package var codingPath: [any CodingKey] { document.path(place) }
    package var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try document.container(keyedBy: type, at: place)
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try UnkeyedNodes(document, place)
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension JSONNodeDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { document.nodes[place.index].kind == .null }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try document.decode(type, at: place)
    }

    package func decode(_ type: Bool.Type) throws -> Bool { try scalar(document.bool(place.index)) }
    package func decode(_ type: String.Type) throws -> String { try scalar(document.string(place.index)) }

    package func decode(_ type: Double.Type) throws -> Double {
        try scalar(document.double(place.index) ?? document.nonConforming(place.index, as: type))
    }

    package func decode(_ type: Float.Type) throws -> Float {
        try scalar(document.float(place.index) ?? document.nonConforming(place.index, as: type))
    }

    package func decode(_ type: Int.Type) throws -> Int { try integer() }
    package func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    package func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    package func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    package func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    package func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
    package func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    package func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    package func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    package func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    package func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    package func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

    @inline(__always) private func integer<Number: FixedWidthInteger>() throws -> Number {
        try scalar(document.integer(place.index, as: Number.self))
    }

    @inline(__always) private func scalar<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw document.mismatch(Value.self, at: place) }
        return value
    }
}

extension CodableDocument {
    /// Decodes a value by its strategy, or by its own `init(from:)`.
    @inline(__always) func decode<Value: Decodable>(_ type: Value.Type, at place: CodingPlace) throws -> Value {
        try decode(type, route(for: type), JSONNodeDecoder(self, place))
    }

    /// Decodes the value for a key of an object.
    ///
    /// - Parameter route: the route of `Value`.
    @inline(__always) func decode<Value: Decodable, Key: CodingKey>(
        _ type: Value.Type, _ route: Unmanaged<CodableRoute>?, at index: Int, _ key: Key, in parent: CodingPlace
    ) throws -> Value {
        try withUnsafePointer(to: key) { key in try decode(type, route, at: index, key, 0, in: parent) }
    }

    /// Decodes an element of an array.
    ///
    /// - Parameter route: the route of `Value`.
    @inline(__always) func decode<Value: Decodable>(
        _ type: Value.Type, _ route: Unmanaged<CodableRoute>?, at index: Int, element: Int, in parent: CodingPlace
    ) throws -> Value {
        try decode(type, route, at: index, nil as UnsafePointer<ElementKey>?, element, in: parent)
    }

    @inline(__always) private func decode<Value: Decodable, Key: CodingKey>(
        _ type: Value.Type, _ route: Unmanaged<CodableRoute>?, at index: Int, _ key: UnsafePointer<Key>?,
        _ element: Int, in parent: CodingPlace
    ) throws -> Value {
        let node = UInt32(truncatingIfNeeded: index)
        // `key` points into the caller's memory, which outlives this call. The frame is popped
        // before that memory is gone.
        frames.push(node, key, element, below: parent)
        defer {
            frames.pop()
            extendLifetime(parent)
        }
        let place = CodingPlace(node: node, depth: UInt32(truncatingIfNeeded: frames.count), linked: nil)
        // A shallow document can't use the stack up, and reading its bound costs more than the
        // comparison.
        if _slowPath(frames.count > StackBudget.shallow), stack.isUsedUp { throw tooDeep(at: place) }
        return try decode(type, route, JSONNodeDecoder(self, place))
    }

    @inline(__always) private func decode<Value: Decodable>(
        _ type: Value.Type, _ route: Unmanaged<CodableRoute>?, _ decoder: JSONNodeDecoder
    ) throws -> Value {
        if let route { return try decode(route, decoder) }
        // Uses `type` because it may be a subclass of `Value`.
        return try type.init(from: decoder)
    }
}
