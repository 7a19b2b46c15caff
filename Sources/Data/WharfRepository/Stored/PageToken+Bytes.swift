internal import WharfCore

extension PageToken {
    /// A text that only equal tokens share. ``init(text:)`` reads it back.
    var text: String {
        switch self {
        case .offset(let offset): "o\(offset)"
        case .number(let number): "n\(number)"
        case .cursor(let cursor): "c" + cursor
        case .link(let url): "l" + url
        // Each piece has its length before it, so that a value may have any character.
        case .after(let cursor): "a" + (cursor.values.map(\.piece) + [Self.piece(cursor.id)]).joined()
        }
    }

    /// Reads a token from its ``text``; nil if the text is of no token.
    init?(text: String) {
        let rest = text.dropFirst()
        switch text.utf8.first {
        case UInt8(ascii: "o"):
            // A text that no token has written must not become another page.
            guard let offset = Int(rest) else { return nil }
            self = .offset(offset)
        case UInt8(ascii: "n"):
            guard let number = Int(rest) else { return nil }
            self = .number(number)
        // Cut by octets: a combining mark after the letter would belong to its `Character`.
        case UInt8(ascii: "c"): self = .cursor(String(Substring(text.utf8.dropFirst())))
        case UInt8(ascii: "l"): self = .link(String(Substring(text.utf8.dropFirst())))
        case UInt8(ascii: "a"):
            guard let cursor = Cursor(pieces: text.utf8.dropFirst()) else { return nil }
            self = .after(cursor)
        default: return nil
        }
    }

    /// Returns a text with its length in UTF-8 before it.
    fileprivate static func piece(_ text: String) -> String { "\(text.utf8.count):\(text)" }
}

extension FieldValue {
    fileprivate var piece: String {
        switch form {
        case .null: PageToken.piece("-")
        case .integer(let value): PageToken.piece("i\(value)")
        case .real(let value): PageToken.piece("r\(value)")
        case .text(let value): PageToken.piece("t" + value)
        }
    }

    fileprivate init?(piece: String) {
        switch piece.utf8.first {
        // "-" alone is null. Text has its own letter, so that a text "-" stays one.
        case UInt8(ascii: "-") where piece.utf8.count == 1: self = .null
        case UInt8(ascii: "i"):
            guard let value = Int64(piece.dropFirst()) else { return nil }
            self.init(value)
        case UInt8(ascii: "r"):
            guard let value = Double(piece.dropFirst()) else { return nil }
            self.init(value)
        case UInt8(ascii: "t"): self.init(String(Substring(piece.utf8.dropFirst())))
        default: return nil
        }
    }
}

extension Cursor {
    fileprivate init?(pieces: Substring.UTF8View) {
        var rest = pieces
        var texts: [String] = []
        while !rest.isEmpty {
            guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
                let count = Int(Substring(rest[..<colon])), count >= 0
            else { return nil }
            rest = rest[rest.index(after: colon)...]
            // A cut token would begin at another place of the list.
            guard rest.count >= count else { return nil }
            texts.append(String(Substring(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        // The id comes last, behind one value for each sort key.
        guard let id = texts.popLast() else { return nil }
        var values: [FieldValue] = []
        for text in texts {
            guard let value = FieldValue(piece: text) else { return nil }
            values.append(value)
        }
        self.init(values: values, id: id)
    }
}
