/// Through ``CodableJSONDecoder`` and ``CodableJSONEncoder`` byte for byte, but for white space and escapes; through other coders by
/// value, so that numbers are what those can hold.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONNodeDecoder {
            self = try JSON.decode(JSONValue.self, from: decoder.json)
        } else {
            self = try Self.value(from: decoder)
        }
    }

    private static func value(from decoder: any Decoder) throws -> JSONValue {
        if let container = try? decoder.container(keyedBy: ElementKey.self) {
            return JSONValue(
                .object(
                    try container.allKeys.map {
                        JSONMember($0.stringValue, try container.decode(JSONValue.self, forKey: $0))
                    }))
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            return JSONValue(.array(elements))
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return JSONValue(.null) }
        if let value = try? container.decode(Bool.self) { return JSONValue(.bool(value)) }
        if let value = try? container.decode(Int64.self) { return JSONValue(.number(JSONNumber(value))) }
        if let value = try? container.decode(UInt64.self) { return JSONValue(.number(JSONNumber(value))) }
        if let value = try? container.decode(Double.self), let number = JSONNumber("\(value)") {
            return JSONValue(.number(number))
        }
        return JSONValue(.string(try container.decode(String.self)))
    }

    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONSlotEncoder { return encoder.encode(json: try JSON.encode(self)) }
        switch content {
        case .object(let members):
            var container = encoder.container(keyedBy: ElementKey.self)
            for member in members { try container.encode(member.value, forKey: ElementKey(stringValue: member.key)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try value.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .number(let number):
            if let whole = number.integer(Int64.self) { return try whole.encode(to: encoder) }
            if let whole = number.integer(UInt64.self) { return try whole.encode(to: encoder) }
            guard let value = number.double else {
                throw EncodingError.invalidValue(
                    number,
                    EncodingError.Context(
                        codingPath: encoder.codingPath, debugDescription: "\(number.text) is too large for a Double."))
            }
            try value.encode(to: encoder)
        }
    }
}

extension UnknownElement {
    /// The element that a type's `init(from:)` stands at: byte for byte with ``CodableJSONDecoder``, by value with other decoders.
    public init(kind: String, from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONNodeDecoder {
            self.init(kind: kind, json: decoder.json)
        } else {
            self.init(kind: kind, json: try JSON.encode(JSONValue(from: decoder)))
        }
    }
}

/// Byte for byte with ``CodableJSONEncoder``, by value with other encoders.
extension UnknownElement: Encodable {
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONSlotEncoder { return encoder.encode(json: json) }
        try value().encode(to: encoder)
    }
}
