extension Codec where Value == [UInt8] {
    /// The codec of bytes, which stores them unchanged with schema 1.
    public static var bytes: Codec {
        Codec {
            $0
        } decode: { bytes, schema throws(CodecMismatch) in
            try CodecMismatch.require(1, schema)
            return bytes
        }
    }
}

extension Codec where Value == String {
    /// The codec of texts in UTF-8, with schema 1.
    public static var text: Codec {
        Codec {
            Array($0.utf8)
        } decode: { bytes, schema throws(CodecMismatch) in
            try CodecMismatch.require(1, schema)
            // Damaged bytes must not become a text with replacement characters.
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CodecMismatch(description: "expected UTF-8, found other bytes")
            }
            return text
        }
    }
}

extension Codec where Value: RawRepresentable, Value.RawValue == String {
    /// Returns the codec of raw values in UTF-8.
    ///
    /// - Parameter schema: the version of the raw values. Increase it if a raw value changes its
    ///   meaning. Values of another schema can't be decoded.
    public static func rawValue(schema: Int = 1) -> Codec {
        Codec(schema: schema) {
            Array($0.rawValue.utf8)
        } decode: { bytes, found throws(CodecMismatch) in
            try CodecMismatch.require(schema, found)
            guard let text = String(validating: bytes, as: UTF8.self), let value = Value(rawValue: text) else {
                throw CodecMismatch(
                    description:
                        "expected a raw value of \(Value.self), found \"\(String(decoding: bytes, as: UTF8.self))\""
                )
            }
            return value
        }
    }
}

/// The reason why a codec of Wharf could not decode bytes.
private struct CodecMismatch: Error, CustomStringConvertible {
    let description: String

    static func require(_ expected: Int, _ found: Int) throws(CodecMismatch) {
        guard found == expected else {
            throw CodecMismatch(description: "expected schema \(expected), found schema \(found)")
        }
    }
}
