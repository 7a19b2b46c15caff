/// The operations that a strategy needs besides those of `Decoder`.
extension JSONNodeDecoder {
    /// Throws for null.
    package func requireValue(_ type: Any.Type) throws {
        if decodeNil() { throw mismatch(type) }
    }

    /// Returns the error for a value of another kind, for null, or for a number out of range.
    package func mismatch(_ type: Any.Type) -> DecodingError { document.mismatch(type, at: place) }

    /// Returns the error for a value of the right kind that has no meaning for the type.
    package func corrupted(_ message: String, expected: String) -> DecodingError {
        document.corrupted(message, expected: expected, at: place)
    }

    /// The text of a number; nil if the value is not a number.
    package var numberText: String? {
        let node = document.nodes[place.index]
        return node.kind == .number ? document.numberText(node) : nil
    }

    /// The value's bytes in the document; `null` for an absent value.
    package var json: [UInt8] {
        place.index == Tape.absent ? Array("null".utf8) : document.bytes[document.range(of: place.index)]
    }
}

extension JSONSlotEncoder {
    /// Encodes a number to which no strategy for infinite numbers applies.
    package func encode(finite value: Double) throws {
        guard value.isFinite else {
            throw notEncodable(value, "Unable to encode Double.\(value) directly in JSON.")
        }
        try encode(value)
    }

    /// Returns the error for a value that JSON can't express.
    package func notEncodable(_ value: Any, _ message: String) -> EncodingError {
        tree.notEncodable(value, message, codingPath)
    }
}
