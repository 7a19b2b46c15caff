import WharfJSON

/// An array of the document while the type that opened it is examined.
struct ExaminedElements: UnkeyedDecodingContainer {
    /// The container at the current element. An element that can't be decoded does not advance it.
    var elements: any UnkeyedDecodingContainer
    let node: JSONNodeDecoder
    let calls: Calls
    let examiner: Examiner
    /// The number of elements returned beyond the end of the array.
    private var beyondEnd = 0

    init(elements: any UnkeyedDecodingContainer, node: JSONNodeDecoder, calls: Calls, examiner: Examiner) {
        self.elements = elements
        self.node = node
        self.calls = calls
        self.examiner = examiner
    }

    var codingPath: [any CodingKey] { elements.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { elements.isAtEnd }
    var currentIndex: Int { elements.currentIndex + beyondEnd }

    mutating func decodeNil() throws -> Bool {
        let isNil = try answer(.isNil, Never.self, beyond: [true], passes: false) { .good($0.decodeNil()) }
        // `decodeNil` advances only over null (see `UnkeyedDecodingContainer`).
        if isNil, !elements.isAtEnd { _ = try elements.superDecoder() }
        return isNil
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let examiner = examiner
        return try answer(.value, type, beyond: examiner.standIns.values(of: type)) { examiner.examine(type, at: $0) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let blank = BlankFields<Nested>(codingPath: codingPath, standIns: examiner.standIns)
        return try answer(.object, type, beyond: [KeyedDecodingContainer(blank)]) { [examiner, calls] in
            examiner.object($0, calls, keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let blank = BlankElements(codingPath: codingPath, standIns: examiner.standIns)
        return try answer(.array, Never.self, beyond: [blank]) { [examiner, calls] in examiner.array($0, calls) }
    }

    mutating func superDecoder() throws -> any Decoder {
        guard let backed = try elements.superDecoder() as? any JSONNodeBacked else {
            preconditionFailure("the decoders of a document must be backed by its nodes")
        }
        return ExaminedDecoder(node: backed.jsonNode, calls: calls, examiner: examiner)
    }

    /// - Parameters:
    ///   - beyond: the stand-ins for an element after the last.
    ///   - passes: whether the call advances to the next element.
    private mutating func answer<Value>(
        _ operation: Calls.Question.Operation, _ type: Any.Type, beyond: @autoclosure () -> [Value],
        passes: Bool = true, _ examine: (JSONNodeDecoder) -> Examined<Value>
    ) throws -> Value {
        let question = Calls.Question(
            operation: operation, node: node.id, place: .index(currentIndex), type: ObjectIdentifier(type))
        // A copy that advances, since the container itself stays at an element that fails.
        var ahead = elements
        let value = try calls.answer(question) {
            do {
                var here = elements
                guard let backed = try here.superDecoder() as? any JSONNodeBacked else {
                    preconditionFailure("the decoders of a document must be backed by its nodes")
                }
                return examine(backed.jsonNode)
            } catch {
                return Examined(
                    failure: error, findings: examiner.findings(of: error, in: type, at: node), standIns: beyond())
            }
        }
        // A stand-in advances to the next element too.
        if passes {
            if ahead.isAtEnd { beyondEnd += 1 } else { _ = try ahead.superDecoder() }
            elements = ahead
        }
        return value
    }
}

extension ExaminedElements {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try value(type) }
    mutating func decode(_ type: String.Type) throws -> String { try value(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try value(type) }
    mutating func decode(_ type: Float.Type) throws -> Float { try value(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try value(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try value(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try value(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try value(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try value(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try value(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try value(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try value(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try value(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try value(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try value(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try value(type) }

    private mutating func value<Value: Decodable>(_ type: Value.Type) throws -> Value { try decode(type) }
}
