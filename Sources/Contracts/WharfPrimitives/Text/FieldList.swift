/// The list syntax of field values (RFC 9110 §5.6.1).
package enum FieldList {
    /// Returns the members of a list, trimmed and without empty members.
    ///
    /// A comma in a quoted string is not a separator.
    ///
    /// - Parameters:
    ///   - escapes: whether a backslash in a quoted string escapes the next character. Entity tags
    ///     have no escapes.
    ///   - opens: whether an unterminated quoted string is split at commas, so that it hides no
    ///     member.
    package static func members(
        _ value: some StringProtocol, escapes: Bool = true, opens: Bool = false
    ) -> [Substring] {
        let text = Substring(value)
        var members: [Substring] = []
        var start = text.startIndex
        var index = text.startIndex
        var quoted = false
        while index < text.endIndex {
            let byte = text.utf8[index]
            // The escaped octet may be a quote or a comma, and neither ends anything
            // (`quoted-pair`, RFC 9110 §5.6.4).
            if quoted, escapes, byte == UInt8(ascii: "\\") {
                index = text.utf8.index(after: index)
                guard index < text.endIndex else { break }
            } else if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if byte == UInt8(ascii: ","), !quoted {
                members.append(trimmed(text[start..<index]))
                start = text.utf8.index(after: index)
            }
            index = text.utf8.index(after: index)
        }
        // The quote was never closed. Each member after it counts, because a hidden directive could
        // be the strict one.
        if quoted, opens {
            members += split(text[start...], at: UInt8(ascii: ",")).map(trimmed)
        } else {
            members.append(trimmed(text[start...]))
        }
        return members.filter { !$0.isEmpty }
    }

    /// Returns the parts between these octets.
    ///
    /// It compares octets: a combining mark after a comma or `=` would make another `Character` of
    /// it.
    package static func split(_ text: Substring, at octet: UInt8, maxSplits: Int = .max) -> [Substring] {
        text.utf8.split(separator: octet, maxSplits: maxSplits, omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Returns the text without optional white space at both ends (RFC 9110 §5.6.3).
    package static func trimmed(_ text: Substring) -> Substring {
        var bytes = text.utf8
        while let first = bytes.first, isSpace(first) { bytes = bytes.dropFirst() }
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        return Substring(bytes)
    }

    /// Returns the content of a quoted string (RFC 9110 §5.6.4), or a token unchanged.
    ///
    /// - Returns: nil for an unterminated quoted string, or one with text after it.
    package static func unquoted(_ text: Substring) -> String? {
        guard text.utf8.first == UInt8(ascii: "\"") else { return String(text) }
        var content: [UInt8] = []
        var rest = text.utf8.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                content.append(escaped)
            case UInt8(ascii: "\""):
                return rest.isEmpty ? String(decoding: content, as: UTF8.self) : nil
            default:
                content.append(byte)
            }
        }
        return nil
    }

    /// Returns whether the text is a token, such as a field name (RFC 9110 §5.6.2).
    package static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(OctetSet.token.contains)
    }

    /// Parses `delta-seconds` (RFC 9111 §1.2.2): digits only. The maximum is 2^31.
    package static func deltaSeconds(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty else { return nil }
        var seconds: Int64 = 0
        for byte in text.utf8 {
            guard OctetSet.digits.contains(byte) else { return nil }
            // The limit applies at each digit: a hundred digits would overflow otherwise.
            seconds = min(seconds * 10 + Int64(byte - UInt8(ascii: "0")), longest)
        }
        return seconds
    }

    /// The largest number of seconds, 68 years (RFC 9111 §1.2.2).
    package static let longest: Int64 = 1 << 31

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
