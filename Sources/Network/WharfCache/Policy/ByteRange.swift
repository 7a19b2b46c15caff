internal import WharfPrimitives

/// A single range of bytes that a client asks for (RFC 9110 §14.1.2).
package enum ByteRange: Sendable, Hashable {
    /// From a position to another one, both included; nil is the last byte.
    case from(Int64, through: Int64?)
    /// The last bytes.
    case suffix(Int64)

    /// Parses the field `Range`.
    ///
    /// - Returns: nil for another unit, several ranges or an invalid value. RFC 9110 §14.2 lets a
    ///   recipient ignore these.
    package init?(_ value: String) {
        let parts = FieldList.split(value[...], at: UInt8(ascii: "="), maxSplits: 1)
        guard parts.count == 2, FieldList.trimmed(parts[0]).lowercased() == "bytes" else { return nil }
        let ends = FieldList.split(FieldList.trimmed(parts[1]), at: UInt8(ascii: "-"), maxSplits: 1)
        guard ends.count == 2 else { return nil }
        switch (Self.position(ends[0]), Self.position(ends[1])) {
        case (let first?, let last?):
            // RFC 9110 §14.1.1: a range that ends before it begins is invalid.
            guard first <= last else { return nil }
            self = .from(first, through: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (nil, let length?) where ends[0].isEmpty: self = .suffix(length)
        default: return nil
        }
    }

    /// Returns the bytes of a body of this length.
    ///
    /// - Returns: nil if none of them exists: the range is unsatisfiable (RFC 9110 §14.1.2).
    package func bytes(of length: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < length else { return nil }
            // A last position may lie beyond the end, up to the largest number.
            return first..<min(last ?? length - 1, length - 1) + 1
        case .suffix(let count):
            guard count > 0, length > 0 else { return nil }
            return length - min(count, length)..<length
        }
    }

    private static func position(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(OctetSet.digits.contains) else { return nil }
        // A position beyond all bodies stays one, in place of an overflow.
        return Int64(text) ?? .max
    }
}
