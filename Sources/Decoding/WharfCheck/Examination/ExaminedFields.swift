import WharfJSON

/// An object of the document while the type that opened it is examined.
struct ExaminedFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: KeyedDecodingContainer<Key>
    let node: JSONNodeDecoder
    let calls: Calls
    let examiner: Examiner

    var codingPath: [any CodingKey] { fields.codingPath }

    var allKeys: [Key] {
        examiner.askedForAll(of: node)
        return fields.allKeys
    }

    func contains(_ key: Key) -> Bool {
        examiner.asked(for: key.stringValue, of: node)
        return fields.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try answer(.isNil, key, Never.self, missing: [true]) { .good($0.decodeNil()) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try answer(.value, key, type, missing: examiner.standIns.values(of: type)) { examiner.examine(type, at: $0) }
    }

    /// Uses nil as the stand-in for a value that is present and wrong.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard contains(key) else { return nil }
        return try answer(.value, key, Value?.self, missing: [nil]) { examiner.examine(Value?.self, at: $0) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        let blank = BlankFields<Nested>(codingPath: codingPath + [key], standIns: examiner.standIns)
        return try answer(.object, key, type, missing: [KeyedDecodingContainer(blank)]) {
            examiner.object($0, calls, keyedBy: type)
        }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        let blank = BlankElements(codingPath: codingPath + [key], standIns: examiner.standIns)
        return try answer(.array, key, Never.self, missing: [blank]) { examiner.array($0, calls) }
    }

    func superDecoder() throws -> any Decoder {
        examiner.asked(for: "super", of: node)
        return examined(try fields.superDecoder())
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        examiner.asked(for: key.stringValue, of: node)
        return examined(try fields.superDecoder(forKey: key))
    }

    private func examined(_ decoder: any Decoder) -> any Decoder {
        guard let backed = decoder as? any JSONNodeBacked else { return decoder }
        return ExaminedDecoder(node: backed.jsonNode, calls: calls, examiner: examiner)
    }

    /// - Parameter missing: the stand-ins for a missing key.
    private func answer<Value>(
        _ operation: Calls.Question.Operation, _ key: Key, _ type: Any.Type, missing: @autoclosure () -> [Value],
        _ examine: (JSONNodeDecoder) -> Examined<Value>
    ) throws -> Value {
        examiner.asked(for: key.stringValue, of: node)
        let question = Calls.Question(
            operation: operation, node: node.id, place: .key(key.stringValue), type: ObjectIdentifier(type))
        return try calls.answer(question) {
            do {
                // Throws for a missing key, with its place.
                _ = try fields.decodeNil(forKey: key)
                guard let value = try fields.superDecoder(forKey: key) as? any JSONNodeBacked else {
                    preconditionFailure("the decoders of a document must be backed by its nodes")
                }
                return examine(value.jsonNode)
            } catch {
                return Examined(
                    failure: error, findings: examiner.findings(of: error, in: type, at: node), standIns: missing())
            }
        }
    }
}

extension ExaminedFields {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, key) }

    private func value<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        try decode(type, forKey: key)
    }

    // The protocol's defaults would ask for presence, null and value apart. A wrong value could
    // then not be replaced by nil.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try present(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try present(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try present(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try present(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try present(type, key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try present(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try present(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try present(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try present(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try present(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try present(type, key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try present(type, key) }

    private func present<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        try decodeIfPresent(type, forKey: key)
    }
}
