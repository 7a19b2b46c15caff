import WharfJSON

/// The decoder that a type's `init(from:)` gets while it is examined.
struct ExaminedDecoder: Decoder, JSONNodeBacked {
    let node: JSONNodeDecoder
    let calls: Calls
    let examiner: Examiner

    var jsonNode: JSONNodeDecoder { node }
    var codingPath: [any CodingKey] { node.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { node.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let question = Calls.Question(operation: .object, node: node.id, place: .itself, type: ObjectIdentifier(type))
        return try calls.answer(question) { examiner.object(node, calls, keyedBy: type) }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let question = Calls.Question(
            operation: .array, node: node.id, place: .itself, type: ObjectIdentifier(Never.self))
        return try calls.answer(question) { examiner.array(node, calls) }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ExaminedDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { node.decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let question = Calls.Question(operation: .value, node: node.id, place: .itself, type: ObjectIdentifier(type))
        return try calls.answer(question) { examiner.examine(type, at: node) }
    }

    func decode(_ type: Bool.Type) throws -> Bool { try value(type) }
    func decode(_ type: String.Type) throws -> String { try value(type) }
    func decode(_ type: Double.Type) throws -> Double { try value(type) }
    func decode(_ type: Float.Type) throws -> Float { try value(type) }
    func decode(_ type: Int.Type) throws -> Int { try value(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try value(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try value(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try value(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try value(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try value(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try value(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try value(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try value(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try value(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }

    private func value<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type) }
}

/// Opens objects and arrays for the types.
extension Examiner {
    func object<Key: CodingKey>(
        _ node: JSONNodeDecoder, _ calls: Calls, keyedBy type: Key.Type
    ) -> Examined<KeyedDecodingContainer<Key>> {
        do {
            let fields = try node.container(keyedBy: type)
            opened(node)
            calls.opened(node)
            return .good(
                KeyedDecodingContainer(ExaminedFields(fields: fields, node: node, calls: calls, examiner: self)))
        } catch {
            let blank = BlankFields<Key>(codingPath: node.codingPath, standIns: standIns)
            return Examined(
                value: KeyedDecodingContainer(blank), failure: error,
                findings: findings(of: error, in: type, at: node))
        }
    }

    func array(_ node: JSONNodeDecoder, _ calls: Calls) -> Examined<any UnkeyedDecodingContainer> {
        do {
            let elements = try node.unkeyedContainer()
            return .good(ExaminedElements(elements: elements, node: node, calls: calls, examiner: self))
        } catch {
            return Examined(
                value: BlankElements(codingPath: node.codingPath, standIns: standIns), failure: error,
                findings: findings(of: error, in: [Any].self, at: node))
        }
    }
}
