/// Base64 with padding (RFC 4648 §4).
enum Base64 {
    static func text(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            // A short last group is filled with zero bits on the right (RFC 4648 §4).
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                // n bytes give n + 1 digits. The rest of the four is padding.
                text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
            rest = rest.dropFirst(3)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the encoding in lines of at most 76 characters (RFC 2045 §6.8).
    static func lines(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 57).map { text(bytes[$0..<min($0 + 57, bytes.count)]) }
    }

    /// Decodes a text; nil if it is not Base64 with padding.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 4) else { return nil }
        // Only the last group may have padding: `=` elsewhere has no value below, and the text is
        // refused.
        let padding = digits.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        for start in stride(from: 0, to: digits.count, by: 4) {
            let missing = start + 4 == digits.count ? padding : 0
            var bits = 0
            for place in 0..<4 {
                guard place < 4 - missing else {
                    bits <<= 6
                    continue
                }
                guard let value = values[Int(digits[start + place])] else { return nil }
                bits = bits << 6 | value
            }
            for place in 0..<(3 - missing) { bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * place))) }
        }
        return bytes
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [Int?] = (UInt8.min...UInt8.max).map { byte in digits.firstIndex(of: byte) }
}
