import WharfCore

/// The head of a request, and the framing of its body (RFC 9112 §3, §5, §6).
struct RequestHead {
    enum Framing {
        case length(Int)
        case chunked
    }

    let request: TestRequest
    let framing: Framing
    let wantsContinue: Bool

    /// - Parameter bytes: the head without the empty line at the end.
    init(_ bytes: ArraySlice<UInt8>, limits: RequestLimits) throws(MalformedRequest) {
        let lineEnd = RequestParser.find([13, 10], in: bytes) ?? bytes.endIndex
        let parts = bytes[..<lineEnd].split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, let method = HTTPRequest.Method(String(decoding: parts[0], as: UTF8.self)) else {
            throw MalformedRequest("expected METHOD TARGET VERSION in the request line, found \(parts.count) parts")
        }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw MalformedRequest("expected a target without control characters, found one with them, or none")
        }
        guard parts[2].count == 8, parts[2].starts(with: Array("HTTP/1.".utf8)), let minor = parts[2].last,
            (0x30...0x39).contains(minor)
        else { throw MalformedRequest("expected the version HTTP/1.1, found another") }
        let fields = try Self.fields(bytes[min(lineEnd + 2, bytes.endIndex)...])
        let target = parts[1].split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        request = TestRequest(
            number: 0, connection: 0, method: method, path: target[0],
            query: target.count > 1 ? target[1] : nil, fields: fields, body: [])
        framing = try Self.framing(fields, isFirstVersion: minor == 0x30, limits: limits)
        wantsContinue = fields[.expect]?.lowercased() == "100-continue"
    }

    /// Parses the field lines of a head or of trailers.
    static func fields(_ bytes: ArraySlice<UInt8>) throws(MalformedRequest) -> HTTPFields {
        var fields = HTTPFields()
        var rest = bytes
        var number = 0
        while !rest.isEmpty {
            number += 1
            let end = RequestParser.find([13, 10], in: rest) ?? rest.endIndex
            let line = rest[..<end]
            rest = rest[min(end + 2, rest.endIndex)...]
            // This also refuses white space before the colon and a folded line (RFC 9112 §5.1,
            // §5.2).
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { throw MalformedRequest("expected NAME: VALUE in field line \(number), found no name") }
            let value = line[(colon + 1)...]
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 9 }) else {
                throw MalformedRequest("expected no control character in the value of \(name), found one")
            }
            fields.append(HTTPField(name: name, value: trimmed(String(decoding: value, as: UTF8.self))))
        }
        return fields
    }

    /// Returns the framing of the body (RFC 9112 §6.3).
    ///
    /// If two recipients read an ambiguous length differently, they see two different requests.
    /// That allows request smuggling, so each ambiguity is refused.
    private static func framing(
        _ fields: HTTPFields, isFirstVersion: Bool, limits: RequestLimits
    ) throws(MalformedRequest) -> Framing {
        let codings = elements(of: .transferEncoding, in: fields).map { $0.lowercased() }
        let lengths = elements(of: .contentLength, in: fields)
        guard codings.isEmpty else {
            guard lengths.isEmpty else {
                throw MalformedRequest("expected Content-Length or Transfer-Encoding, found both")
            }
            // HTTP/1.0 has no chunked coding, so a recipient of that version would take the chunks
            // for the body.
            guard !isFirstVersion else {
                throw MalformedRequest("expected no Transfer-Encoding with HTTP/1.0, found one")
            }
            guard codings.firstIndex(of: "chunked") == codings.count - 1 else {
                throw MalformedRequest("expected chunked as the last transfer coding and only there")
            }
            guard codings.count == 1 else {
                throw MalformedRequest("expected the transfer coding chunked alone", status: .notImplemented)
            }
            return .chunked
        }
        guard let length = lengths.first else { return .length(0) }
        // Equal repetitions are harmless, and RFC 9112 §6.3 allows to accept them.
        guard lengths.allSatisfy({ $0 == length }) else {
            throw MalformedRequest("expected one Content-Length, found different ones")
        }
        guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw MalformedRequest("expected digits in Content-Length, found other characters")
        }
        guard let count = Int(length), count <= limits.bodyBytes else {
            throw MalformedRequest(
                "expected a body of at most \(limits.bodyBytes) bytes, found a longer one", status: .contentTooLarge)
        }
        return .length(count)
    }

    /// The elements of a list field, including empty ones.
    private static func elements(of name: HTTPField.Name, in fields: HTTPFields) -> [String] {
        fields[values: name].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { trimmed(String($0)) }
    }

    private static func trimmed(_ value: String) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
        let start = value.utf8.drop(while: isSpace)
        let count = start.reversed().drop(while: isSpace).count
        return String(decoding: start.prefix(count), as: UTF8.self)
    }
}
