/// The unkeyed container of an array of the document.
struct UnkeyedNodes: UnkeyedDecodingContainer {
    // `next` is the node of the element `currentIndex`, or `stop` after the last one.
    // `currentIndex` alone may go on beyond the end.
    private let document: CodableDocument
    private let place: CodingPlace
    private let length: Int
    private let stop: Int
    private var next: Int
    private(set) var currentIndex = 0

    init(_ document: CodableDocument, _ place: CodingPlace) throws {
        guard document.nodes[place.index].kind == .array else { throw document.noUnkeyedContainer(at: place) }
        self.document = document
        self.place = place
        length = Int(document.nodes[place.index].count)
        stop = Int(document.nodes[place.index].end)
        next = place.index + 2
    }

    var codingPath: [any CodingKey] { document.path(place) }
    var count: Int? { length }
    var isAtEnd: Bool { currentIndex >= length }

    private mutating func advance() {
        if next < stop { next = document.following(next) }
        currentIndex += 1
    }

    private func require(_ type: Any.Type) throws -> Int {
        guard next < stop else { throw document.atEnd(type, currentIndex, in: place) }
        return next
    }

    mutating func decodeNil() throws -> Bool {
        guard document.nodes[try require(Never.self)].kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let found = try require(type)
        // The position moves only after a success, as in Foundation: a caller may try another type.
        let value = try document.decode(type, document.route(for: type), at: found, element: currentIndex, in: place)
        advance()
        return value
    }

    /// Advances at the end too, as Foundation does.
    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard next < stop, document.nodes[next].kind != .null else {
            advance()
            return nil
        }
        return try decode(type)
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar { $0.bool($1) } }
    mutating func decode(_ type: String.Type) throws -> String { try scalar { $0.string($1) } }

    mutating func decode(_ type: Double.Type) throws -> Double {
        try scalar { $0.double($1) ?? $0.nonConforming($1, as: type) }
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        try scalar { $0.float($1) ?? $0.nonConforming($1, as: type) }
    }

    mutating func decode(_ type: Int.Type) throws -> Int { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar { $0.integer($1, as: type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar { $0.integer($1, as: type) } }

    @inline(__always) private mutating func scalar<Value>(_ read: (CodableDocument, Int) -> Value?) throws -> Value {
        let index = try require(Value.self)
        guard let value = read(document, index) else {
            throw document.mismatch(Value.self, index, ElementKey(index: currentIndex), in: place)
        }
        advance()
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try KeyedNodes<Key>(document, try linked(KeyedDecodingContainer<Key>.self))
        advance()
        return KeyedDecodingContainer(container)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try UnkeyedNodes(document, try linked((any UnkeyedDecodingContainer).self))
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = JSONNodeDecoder(document, try linked((any Decoder).self))
        advance()
        return decoder
    }

    private func linked(_ type: Any.Type) throws -> CodingPlace {
        place.linked(try require(type), ElementKey(index: currentIndex))
    }
}
