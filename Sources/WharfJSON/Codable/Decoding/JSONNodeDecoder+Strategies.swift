/// What a strategy needs besides a `Decoder`.
extension JSONNodeDecoder {
    /// Throws for null.
    package func requireValue(_ type: Any.Type) throws {
        if decodeNil() { throw mismatch(type) }
    }

    /// The error for a value of another kind, for null, or for a number that the type can't hold.
    package func mismatch(_ type: Any.Type) -> DecodingError { document.mismatch(type, at: place) }

    /// The error for a value of the right kind that means nothing.
    package func corrupted(_ message: String, expected: String) -> DecodingError {
        document.corrupted(message, expected: expected, at: place)
    }

    /// nil when the value is no number.
    package var numberText: String? {
        let node = document.nodes[place.index]
        return node.kind == .number ? document.numberText(node) : nil
    }

    /// The value as it stands in the document; of a value that is not there, null.
    package var json: [UInt8] {
        place.index == Tape.absent ? Array("null".utf8) : document.bytes[document.range(of: place.index)]
    }
}

extension JSONSlotEncoder {
    /// A number that no strategy for infinite ones applies to.
    package func encode(finite value: Double) throws {
        guard value.isFinite else {
            throw notEncodable(value, "Unable to encode Double.\(value) directly in JSON.")
        }
        try encode(value)
    }

    /// The error for a value that JSON can't express.
    package func notEncodable(_ value: Any, _ message: String) -> EncodingError {
        tree.notEncodable(value, message, codingPath)
    }
}
