/// The kind and range of a lexical token (GraphQL September 2025 §2.1.5).
struct Token {
    enum Kind: UInt8 {
        case end, name, integer, fraction, string, blockString
        case bang, dollar, ampersand, openParenthesis, closeParenthesis, spread, colon, equals, at, openBracket,
            closeBracket, openBrace, pipe, closeBrace

        var isPunctuator: Bool { rawValue >= Kind.bang.rawValue }
    }

    var kind: Kind
    var start: Int
    var end: Int
    /// Whether a string's value differs from the text between its quotes.
    var hasEscapes = false
}

extension Token.Kind {
    init?(punctuator byte: UInt8) {
        switch byte {
        case UInt8(ascii: "!"): self = .bang
        case UInt8(ascii: "$"): self = .dollar
        case UInt8(ascii: "&"): self = .ampersand
        case UInt8(ascii: "("): self = .openParenthesis
        case UInt8(ascii: ")"): self = .closeParenthesis
        case UInt8(ascii: ":"): self = .colon
        case UInt8(ascii: "="): self = .equals
        case UInt8(ascii: "@"): self = .at
        case UInt8(ascii: "["): self = .openBracket
        case UInt8(ascii: "]"): self = .closeBracket
        case UInt8(ascii: "{"): self = .openBrace
        case UInt8(ascii: "|"): self = .pipe
        case UInt8(ascii: "}"): self = .closeBrace
        default: return nil
        }
    }
}
