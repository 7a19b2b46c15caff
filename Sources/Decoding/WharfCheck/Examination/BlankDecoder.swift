/// A decoder without a document, which answers each request with a stand-in value.
struct BlankDecoder: Decoder {
    let codingPath: [any CodingKey]
    let standIns: StandIns

    var userInfo: [CodingUserInfoKey: Any] { standIns.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(BlankFields(codingPath: codingPath, standIns: standIns))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        BlankElements(codingPath: codingPath, standIns: standIns)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        BlankValue(codingPath: codingPath, standIns: standIns)
    }
}

private func standIn<Value: Decodable>(
    for type: Value.Type, _ standIns: StandIns, _ path: [any CodingKey]
) throws -> Value {
    guard let value = standIns.values(of: type).first else {
        throw DecodingError.dataCorrupted(
            .init(codingPath: path, debugDescription: "There is no stand-in for a value of \(type)."))
    }
    return value
}

struct BlankValue: SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let standIns: StandIns

    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try standIn(for: type, standIns, codingPath) }
}

/// An object that has every key that is asked for by name, and lists none.
struct BlankFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey]
    let standIns: StandIns

    var allKeys: [Key] { [] }
    // Optional keys are missing, so that only the required ones need stand-ins.
    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try standIn(for: type, standIns, codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(BlankFields<Nested>(codingPath: codingPath + [key], standIns: standIns))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        BlankElements(codingPath: codingPath + [key], standIns: standIns)
    }

    func superDecoder() -> any Decoder { BlankDecoder(codingPath: codingPath, standIns: standIns) }

    func superDecoder(forKey key: Key) -> any Decoder {
        BlankDecoder(codingPath: codingPath + [key], standIns: standIns)
    }
}

/// An empty array that still returns a few elements to a type that asks for them.
///
/// After the limit it throws, so that a type that reads in an endless loop ends.
struct BlankElements: UnkeyedDecodingContainer {
    let codingPath: [any CodingKey]
    let standIns: StandIns
    private(set) var currentIndex = 0
    private static let limit = 16

    init(codingPath: [any CodingKey], standIns: StandIns) {
        self.codingPath = codingPath
        self.standIns = standIns
    }

    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    mutating func decodeNil() -> Bool { true }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard currentIndex < Self.limit else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "Unkeyed container is at end."))
        }
        let value = try standIn(for: type, standIns, codingPath)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        currentIndex += 1
        return KeyedDecodingContainer(BlankFields<Nested>(codingPath: codingPath, standIns: standIns))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        currentIndex += 1
        return BlankElements(codingPath: codingPath, standIns: standIns)
    }

    mutating func superDecoder() -> any Decoder {
        currentIndex += 1
        return BlankDecoder(codingPath: codingPath, standIns: standIns)
    }
}
