/// A recursive descent parser for executable documents, with one token of look-ahead.
struct Parser {
    var lexer: Lexer
    private var levelsLeft = GraphQLDocument.maximumDepth
    /// The parsed text without ignored tokens; nil unless minifying.
    private(set) var compact: TextBuffer?

    private init(_ bytes: UnsafeBufferPointer<UInt8>, minifies: Bool) {
        lexer = Lexer(bytes)
        if minifies { compact = TextBuffer(capacity: bytes.count) }
    }

    /// Parses all of `bytes` with `read`. Returns its result, and the minified text if requested.
    static func read<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>, minifies: Bool = false, _ read: (inout Parser) throws(Lexer.Stop) -> Value
    ) -> Result<(value: Value, compact: String?), GraphQLSyntaxError> {
        // The lexer works on bytes and assumes valid UTF-8.
        if let place = UTF8Check.firstInvalid(bytes) {
            return .failure(
                GraphQLSyntaxError(
                    .invalidUTF8, message: "expected UTF-8, found the byte 0x\(String(bytes[place], radix: 16))",
                    location: GraphQLLocation(of: place, in: bytes)))
        }
        var parser = Parser(bytes, minifies: minifies)
        do throws(Lexer.Stop) {
            try parser.lexer.advance()
            let value = try read(&parser)
            // Text after a complete document would otherwise be ignored.
            if parser.kind != .end { throw parser.unexpected("the end of the document") }
            return .success((value, parser.compact?.text()))
        } catch {
            guard let fault = parser.lexer.fault else { preconditionFailure("stopped without a fault") }
            return .failure(
                GraphQLSyntaxError(
                    fault.code, message: fault.message, location: GraphQLLocation(of: fault.offset, in: bytes)))
        }
    }

    @inline(__always) var kind: Token.Kind { lexer.token.kind }

    mutating func advance() throws(Lexer.Stop) {
        // Before the lexer moves on: the current token is accepted now.
        if compact != nil { keep() }
        try lexer.advance()
    }

    private mutating func keep() {
        let token = lexer.token
        switch token.kind {
        // Its indentation is not significant, so the printer writes the value.
        case .blockString: compact?.block(lexer.stringValue.text)
        case .spread: compact?.spread()
        default:
            // All other tokens are copied byte by byte, escapes included.
            let bytes = UnsafeBufferPointer(rebasing: lexer.bytes[token.start..<token.end])
            if token.kind.isPunctuator { compact?.punctuator(bytes[0]) } else { compact?.word(bytes) }
        }
    }

    mutating func unexpected(_ expected: String) -> Lexer.Stop {
        lexer.stop(at: lexer.token.start, "expected \(expected), found \(lexer.found)")
    }

    /// Skips a token of this kind. Returns false for another token.
    mutating func skip(_ wanted: Token.Kind) throws(Lexer.Stop) -> Bool {
        guard kind == wanted else { return false }
        try advance()
        return true
    }

    mutating func expect(_ wanted: Token.Kind, _ name: @autoclosure () -> String) throws(Lexer.Stop) {
        guard kind == wanted else { throw unexpected(name()) }
        try advance()
    }

    mutating func name(_ expected: @autoclosure () -> String) throws(Lexer.Stop) -> String {
        guard kind == .name else { throw unexpected(expected()) }
        let name = lexer.text(lexer.token.start, lexer.token.end)
        try advance()
        return name
    }

    /// Enters a nesting level, at the token that opens it.
    mutating func enter() throws(Lexer.Stop) {
        // Checked before the recursion: the input chooses the depth, and the stack is limited.
        guard levelsLeft > 0 else {
            throw lexer.stop(
                .tooDeep, at: lexer.token.start,
                "expected at most \(GraphQLDocument.maximumDepth) levels, found one more")
        }
        levelsLeft -= 1
        try advance()
    }

    /// Skips the token that closes a nesting level. Returns false for another token.
    mutating func leave(_ closing: Token.Kind) throws(Lexer.Stop) -> Bool {
        guard try skip(closing) else { return false }
        levelsLeft += 1
        return true
    }
}
