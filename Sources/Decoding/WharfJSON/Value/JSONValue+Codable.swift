/// The value is exact with ``CodableJSONDecoder`` and ``CodableJSONEncoder``.
///
/// Other coders transfer it by value: most keep neither the order of keys nor the text of numbers.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let decoder = (decoder as? any JSONNodeBacked)?.jsonNode {
            // The document has been checked, so the tree exists.
            guard let value = decoder.readTree() else { throw decoder.mismatch(JSONValue.self) }
            self = value
        } else if let fields = try? decoder.container(keyedBy: PolymorphicKey.self) {
            let members = try fields.allKeys.map { key in
                JSONMember(key.stringValue, try fields.decode(JSONValue.self, forKey: key))
            }
            self.init(.object(members))
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
            self.init(.array(values))
        } else {
            self.init(try Content(scalar: decoder.singleValueContainer()))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONSlotEncoder { return encoder.encode(json: try JSON.encode(self)) }
        switch content {
        case .object(let members):
            var fields = encoder.container(keyedBy: PolymorphicKey.self)
            for member in members {
                try fields.encode(member.value, forKey: PolymorphicKey(stringValue: member.key))
            }
        case .array(let elements):
            var values = encoder.unkeyedContainer()
            for element in elements { try values.encode(element) }
        case .null:
            var value = encoder.singleValueContainer()
            try value.encodeNil()
        case .bool(let bool): try bool.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        }
    }
}

extension JSONValue.Content {
    /// Tries each type in turn, as `Codable` can't tell the kind of a value.
    ///
    /// A failure means only that the value has another type.
    fileprivate init(scalar value: any SingleValueDecodingContainer) throws {
        // From the narrowest type to the widest: a `Double` would take integers too, and round them
        // beyond 2^53.
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Int64.self) {
            self = .number(JSONNumber(number))
        } else if let number = try? value.decode(UInt64.self) {
            self = .number(JSONNumber(number))
        } else if let number = try? value.decode(Double.self) {
            guard let text = JSONNumber(number.description) else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "expected a finite number, as JSON has no \(number)")
            }
            self = .number(text)
        } else {
            self = .string(try value.decode(String.self))
        }
    }
}

extension JSONNumber {
    /// Encodes the number as the smallest type that holds it exactly, or else as the nearest
    /// `Double`.
    fileprivate func encode(to encoder: any Encoder) throws {
        if let whole = integer(Int64.self) { return try whole.encode(to: encoder) }
        if let whole = integer(UInt64.self) { return try whole.encode(to: encoder) }
        guard let double else {
            throw EncodingError.invalidValue(
                text, .init(codingPath: encoder.codingPath, debugDescription: "\(text) is too large for a Double"))
        }
        try double.encode(to: encoder)
    }
}
