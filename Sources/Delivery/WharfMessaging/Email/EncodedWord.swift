internal import WharfPrimitives

/// Non-ASCII text in the header of a message: `=?UTF-8?Q?J=C3=BCrgen?=` (RFC 2047).
enum EncodedWord {
    /// The longest encoded word, in characters (§2).
    static let longest = 75

    /// Returns encoded words, which a mail reader joins without spaces.
    ///
    /// No scalar is divided between two words (§5).
    ///
    /// - Parameter first: the room for the first word, in characters; at least 24.
    static func words(_ text: String, first: Int) -> [String] {
        let bytes = text.utf8.count
        // Both lengths are those of the whole text. The choice is the same for each word, so equal
        // texts have equal bytes.
        let quoted = text.utf8.reduce(0) { $0 + (isPlain($1) || $1 == 0x20 ? 1 : 3) }
        let isShorter = quoted <= (bytes + 2) / 3 * 4
        var words: [String] = []
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            // `=?UTF-8?Q?` and `?=` take 12 characters.
            let room = (words.isEmpty ? min(first, longest) : longest) - 12
            let end = end(of: rest, room: room, isQuoted: isShorter)
            let part = Array(String(rest[..<end]).utf8)
            words.append(isShorter ? "=?UTF-8?Q?\(quotedText(part))?=" : "=?UTF-8?B?\(Base64.text(part))?=")
            rest = rest[end...]
        }
        return words
    }

    private static func end(
        of text: Substring.UnicodeScalarView, room: Int, isQuoted: Bool
    ) -> String.Index {
        var (index, taken) = (text.startIndex, 0)
        while index < text.endIndex {
            let utf8 = UTF8.encode(text[index])
            // The scalar counts as a whole: a word that ends inside it would be invalid UTF-8 (RFC
            // 2047 §5).
            taken += utf8?.reduce(0) { $0 + (!isQuoted || isPlain($1) || $1 == 0x20 ? 1 : 3) } ?? 0
            guard isQuoted ? taken <= room : (taken + 2) / 3 * 4 <= room else { break }
            index = text.index(after: index)
        }
        return index
    }

    private static func quotedText(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            // A space would end the encoded word (RFC 2047 §4.2, rule 2).
            byte == 0x20 ? "_" : isPlain(byte) ? String(UnicodeScalar(byte)) : "=" + QuotedPrintable.hex(byte)
        }.joined()
    }

    /// Whether a byte needs no escape, even in a display name (§5, rule 3).
    private static func isPlain(_ byte: UInt8) -> Bool {
        EmailAddress.isAlphanumeric(byte) || "!*+-/".utf8.contains(byte)
    }
}
