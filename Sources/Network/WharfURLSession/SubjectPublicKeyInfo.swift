/// Finds the public key in a certificate, in the form that pins hash: with its algorithm, which no
/// API of Apple returns.
enum SubjectPublicKeyInfo {
    /// - Parameter certificate: in DER (RFC 5280 §4.1).
    /// - Returns: the whole element; nil if the bytes are not a certificate.
    static func find(in certificate: [UInt8]) -> ArraySlice<UInt8>? {
        var outer = DER(certificate[...])
        guard let whole = outer.next(.sequence) else { return nil }
        var inner = DER(whole.content)
        guard let signed = inner.next(.sequence) else { return nil }
        var fields = DER(signed.content)
        // Version 1 is omitted.
        if fields.isNext(.version) { _ = fields.next(.version) }
        // Serial number, signature, issuer, validity, subject.
        for tag in [DER.Tag.integer, .sequence, .sequence, .sequence, .sequence] {
            guard fields.next(tag) != nil else { return nil }
        }
        return fields.next(.sequence)?.whole
    }
}

/// A sequence of elements, each with tag, length and content (X.690 §8.1).
private struct DER {
    enum Tag: UInt8 {
        case integer = 0x02
        case sequence = 0x30
        case version = 0xa0
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    func isNext(_ tag: Tag) -> Bool { rest.first == tag.rawValue }

    /// Returns the next element; nil if it has another tag, or fewer bytes than its length.
    mutating func next(_ tag: Tag) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
        let start = rest
        // The bound is checked before the content is taken: the length comes from the peer.
        guard rest.popFirst() == tag.rawValue, let length = length(), length <= rest.count else { return nil }
        let content = rest.prefix(length)
        rest = rest.dropFirst(length)
        return (start[start.startIndex..<content.endIndex], content)
    }

    /// Reads a length: one byte, or as many as the first byte gives (X.690 §8.1.3). No certificate
    /// needs more than four.
    private mutating func length() -> Int? {
        guard let first = rest.popFirst() else { return nil }
        // Bit 8 marks the long form (X.690 §8.1.3.5).
        guard first & 0x80 != 0 else { return Int(first) }
        let count = Int(first & 0x7f)
        // Four bytes can't overflow `Int`. The indefinite form (0x80) has no count and is refused;
        // DER forbids it.
        guard (1...4).contains(count), count <= rest.count else { return nil }
        var length = 0
        for byte in rest.prefix(count) { length = length << 8 | Int(byte) }
        rest = rest.dropFirst(count)
        return length
    }
}
