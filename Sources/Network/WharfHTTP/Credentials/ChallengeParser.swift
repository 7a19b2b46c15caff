/// A parser for the challenges of one field.
///
/// A comma separates both challenges and their parameters. Only the text after a name shows which
/// of the two the name begins.
struct ChallengeParser {
    private var rest: ArraySlice<UInt8>

    init(_ field: String) { rest = Array(field.utf8)[...] }

    mutating func challenges() -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        skipSeparators()
        // A challenge that ends elsewhere is malformed, and the rest can't be split.
        while !rest.isEmpty, let challenge = challenge(), isAtSeparator {
            challenges.append(challenge)
            skipSeparators()
        }
        return challenges
    }

    private mutating func challenge() -> AuthenticationChallenge? {
        guard let scheme = token()?.lowercased() else { return nil }
        // RFC 9110 §11.3: without a space after the scheme there are no parameters.
        guard rest.first == UInt8(ascii: " ") else {
            skipSpace()
            return AuthenticationChallenge(scheme: scheme)
        }
        skipSpace()
        // Tried first: `abc=` is a token68, and `abc=def` a parameter. Only the text after it shows
        // which.
        if let token = token68() { return AuthenticationChallenge(scheme: scheme, token: token) }
        guard let parameters = parameters() else { return nil }
        return AuthenticationChallenge(scheme: scheme, parameters: parameters)
    }

    /// Reads the longest run of parameters, up to the comma before the next challenge. Returns nil
    /// if one is malformed.
    private mutating func parameters() -> [String: String]? {
        var parameters: [String: String] = [:]
        // The place after the last complete parameter. The parser returns here if the next name
        // begins another challenge.
        var end = rest
        while true {
            skipSeparators()
            guard let name = token()?.lowercased() else { break }
            skipSpace()
            // A name without `=` is the scheme of the next challenge.
            guard take("=") else { break }
            skipSpace()
            guard let value = rest.first == UInt8(ascii: "\"") ? quoted() : token() else { return nil }
            if parameters[name] == nil { parameters[name] = value }
            skipSpace()
            guard isAtSeparator else { return nil }
            end = rest
        }
        rest = end
        return parameters
    }

    /// Reads a `token68` that is followed by a comma or the end (RFC 9110 §11.2). Otherwise returns
    /// nil and consumes nothing.
    private mutating func token68() -> String? {
        let start = rest
        let body = take { $0.isOfToken68 }
        let padding = take { $0 == UInt8(ascii: "=") }
        skipSpace()
        guard !body.isEmpty, isAtSeparator else {
            rest = start
            return nil
        }
        return String(decoding: body + padding, as: UTF8.self)
    }

    private mutating func token() -> String? {
        let bytes = take { $0.isOfToken }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a quoted string without its quotes and backslashes (RFC 9110 §5.6.4). Returns nil if
    /// it is not closed.
    private mutating func quoted() -> String? {
        guard take("\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }

    /// Whether a challenge or a parameter may end here.
    private var isAtSeparator: Bool { rest.isEmpty || rest.first == UInt8(ascii: ",") }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func take(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: belongs)
        rest = rest.dropFirst(taken.count)
        return taken
    }

    private mutating func skipSpace() { _ = take { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    /// Skips separators; elements of a list may be empty (RFC 9110 §5.6.1).
    private mutating func skipSeparators() {
        _ = take { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}

extension UInt8 {
    private var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// Whether the byte is a `tchar` (RFC 9110 §5.6.2).
    fileprivate var isOfToken: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    fileprivate var isOfToken68: Bool { isAlphanumeric || "-._~+/".utf8.contains(self) }
}
