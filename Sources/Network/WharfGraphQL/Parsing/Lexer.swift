/// A lexer for valid UTF-8. It checks strings while it scans, and makes their values on demand.
struct Lexer {
    /// Thrown after the reason was stored in ``Lexer/fault``. An error without a payload keeps the
    /// stack frames of recursive functions small.
    struct Stop: Error {}

    struct Fault {
        let code: GraphQLSyntaxError.Code
        let offset: Int
        let message: String
    }

    /// The document, which outlives the lexer: both are used inside of one
    /// `withUnsafeBufferPointer`.
    let bytes: UnsafeBufferPointer<UInt8>
    /// The current token.
    private(set) var token = Token(kind: .end, start: 0, end: 0)
    private(set) var fault: Fault?

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func stop(_ code: GraphQLSyntaxError.Code = .syntax, at offset: Int, _ message: String) -> Stop {
        fault = Fault(code: code, offset: offset, message: message)
        return Stop()
    }

    @inline(__always) func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Moves to the next token; at the end it stays there.
    mutating func advance() throws(Stop) {
        let start = endOfIgnored(from: token.end)
        guard start < bytes.count else {
            token = Token(kind: .end, start: start, end: start)
            return
        }
        let first = bytes[start]
        // The order is that of frequency: names, punctuators, then the rest.
        if first.isNameStart {
            var end = start + 1
            while end < bytes.count, bytes[end].isNameContinue { end += 1 }
            token = Token(kind: .name, start: start, end: end)
        } else if let kind = Token.Kind(punctuator: first) {
            token = Token(kind: kind, start: start, end: start + 1)
        } else {
            switch first {
            case UInt8(ascii: "\""): token = try string(start)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): token = try number(start)
            case UInt8(ascii: ".") where byte(start + 1) == first && byte(start + 2) == first:
                // A spread is the only token that begins with a dot. A number can't.
                token = Token(kind: .spread, start: start, end: start + 3)
            default: throw stop(at: start, "expected a name, a value or a punctuator, found \(shown(start))")
            }
        }
    }

    /// Returns the end of blanks, line ends, commas, comments and byte order marks (September 2025
    /// §2.1.6).
    private func endOfIgnored(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): index += 1
            case UInt8(ascii: "#"):
                index += 1
                while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
            // §2.1.6 ignores a byte order mark anywhere between tokens.
            case 0xEF where byte(index + 1) == 0xBB && byte(index + 2) == 0xBF: index += 3
            default: return index
            }
        }
        return index
    }

    private mutating func number(_ start: Int) throws(Stop) -> Token {
        let token: Token
        switch Numeral.scan(bytes, from: start) {
        case .integer(let end): token = Token(kind: .integer, start: start, end: end)
        case .fraction(let end): token = Token(kind: .fraction, start: start, end: end)
        case .invalid(let place):
            let isLeadingZero = byte(place)?.isDigit == true
            throw stop(
                at: place,
                isLeadingZero
                    ? "expected a number without leading zeros, found \(shown(place)) after 0"
                    : "expected a digit of a number, found \(shown(place))")
        }
        // §2.10.1: a number can't be followed by a name or a dot. `0xF` would otherwise be read as
        // 0 and a name.
        if let next = byte(token.end), next.isNameStart || next == UInt8(ascii: ".") {
            throw stop(at: token.end, "expected the end of a number, found \(shown(token.end))")
        }
        return token
    }

    /// Returns the scalar at an index, for a message.
    func shown(_ index: Int) -> String {
        guard index < bytes.count else { return "the end of the document" }
        let text = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first else { return "nothing" }
        if scalar.value > 0x20, scalar.value < 0x7F { return "\"\(scalar)\"" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The current token, for a message.
    var found: String {
        switch token.kind {
        case .end: "the end of the document"
        case .string, .blockString: "a string"
        // Names and numbers are ASCII of any length, so they can be cut anywhere.
        case _ where token.end - token.start > 64: "\"\(text(token.start, token.start + 64))…\""
        default: "\"\(text(token.start, token.end))\""
        }
    }

    @inline(__always) func text(_ start: Int, _ end: Int) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }

    @inline(__always) func isName(_ keyword: StaticString) -> Bool {
        token.kind == .name && token.end - token.start == keyword.utf8CodeUnitCount
            && bytes[token.start..<token.end]
                .elementsEqual(UnsafeBufferPointer(start: keyword.utf8Start, count: keyword.utf8CodeUnitCount))
    }
}
