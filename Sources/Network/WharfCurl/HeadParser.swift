#if os(Linux)
internal import WharfCore

/// A parser that joins the lines that libcurl passes to the heads and the trailers of a response.
///
/// libcurl passes interim heads (1xx), the final head and trailers through the same callback. An
/// interim head ends with an empty line and has a status below 200; trailers follow the final head.
struct HeadParser {
    /// The limit of all lines of one response. Servers send 8 to 16 KB. libcurl's own limits are
    /// 100 KB for a line and, in newer versions, 300 KB in all. It reports the latter as a receive
    /// error.
    static let limit = 256 << 10

    /// The fields by which libcurl finds the end of a body.
    private static let framing: Set<HTTPField.Name> = [.contentLength, .transferEncoding]

    /// The reason why the lines are not a valid head.
    struct Malformed: Error, Equatable {
        let reason: String
    }

    /// The number of bytes of all lines so far.
    private(set) var count = 0
    /// Whether the final head is complete. libcurl reports success for a truncated head, so success
    /// without a complete head is an error.
    private(set) var isDone = false
    private var status: Int?
    /// The fields of the current head. After the final head, they are the trailers.
    private var fields = HTTPFields()
    /// Whether the last line had no valid field name and was dropped. A folded line after it is
    /// dropped too.
    private var isLastLineDropped = false

    /// - Parameter line: includes its line break.
    /// The fields after the final head.
    var trailers: HTTPFields { isDone ? fields : HTTPFields() }

    /// - Returns: an interim head or the final one, at the empty line that ends it.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(Malformed) -> HTTPResponse? {
        // The limit counts interim heads and trailers too: a server could send them without end.
        count += line.count
        guard count <= Self.limit else {
            throw Malformed(reason: "its head is longer than the limit of \(Self.limit >> 10) KB")
        }
        // RFC 9112 §2.2: a recipient may accept a single LF as the end of a line.
        var text = line[...]
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        // Lines after the final head are trailers.
        guard !isDone else {
            takeTrailer(text)
            return nil
        }
        // libcurl ends the head at a line that begins with a CR (RFC 9112 §2.2).
        guard !text.contains(UInt8(ascii: "\r")) else { throw Malformed(reason: "its head has a bare CR") }
        // The first line of each head is its status line, also after an interim head.
        guard let status else {
            status = try Self.status(in: text)
            return nil
        }
        guard text.isEmpty else {
            try takeField(text)
            return nil
        }
        // The next line, if there is one, begins another head.
        defer { self.status = nil }
        guard status >= 200 else {
            guard status != 101 else {
                throw Malformed(reason: "it switches protocols (101), which the request did not ask for")
            }
            // libcurl would frame the body of the final response by these fields, which RFC 9112
            // §6.1 and RFC 9110 §8.6 forbid in an interim head.
            guard fields[.contentLength] == nil, fields[.transferEncoding] == nil else {
                throw Malformed(reason: "an interim head announces a body")
            }
            return endHead(status)
        }
        // The framing is checked before the head is delivered: after that its body is read.
        try settleFraming()
        isDone = true
        return endHead(status)
    }

    private mutating func endHead(_ status: Int) -> HTTPResponse {
        // The fields of an interim head are not those of the next head (RFC 9110 §15.2). Trailers
        // are not those of a head either (RFC 9110 §6.5.1).
        defer {
            fields = HTTPFields()
            isLastLineDropped = false
        }
        return HTTPResponse(status: .init(code: status), headerFields: fields)
    }

    /// Takes a line after the body. A malformed one is dropped: the body before it is whole.
    private mutating func takeTrailer(_ line: Slice<UnsafeRawBufferPointer>) {
        guard !line.isEmpty else { return }
        do throws(Malformed) {
            guard !line.contains(UInt8(ascii: "\r")) else { throw Malformed(reason: "a bare CR") }
            try takeField(line)
        } catch {
            // A folded line after it is dropped too.
            isLastLineDropped = true
        }
    }

    private static func status(in line: Slice<UnsafeRawBufferPointer>) throws(Malformed) -> Int {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        guard isVersion(line.prefix { $0 != UInt8(ascii: " ") }), words.count > 1, words[1].count == 3,
            let status = Int(String(decoding: words[1], as: UTF8.self)), status >= 100
        else { throw Malformed(reason: "its status line has no status of three digits (RFC 9110 §15)") }
        return status
    }

    /// Returns whether a word is an HTTP version. For HTTP/2 and later libcurl makes the status
    /// line itself, with `HTTP/2`.
    private static func isVersion(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        let digits = word.dropFirst(5)
        return word.starts(with: "HTTP/".utf8) && [1, 3].contains(digits.count)
            && digits.enumerated().allSatisfy { $0 == 1 ? $1 == UInt8(ascii: ".") : (48...57).contains($1) }
    }

    private mutating func takeField(_ line: Slice<UnsafeRawBufferPointer>) throws(Malformed) {
        if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            // RFC 9112 §5.2: a user agent replaces the fold of a line by a space.
            // The value belongs to a field that has no valid name.
            if isLastLineDropped { return }
            guard let last = fields.last else { throw Malformed(reason: "its head begins with a folded line") }
            // libcurl frames the body by the first line alone. The chunk sizes would be delivered
            // as part of the body, or a truncated body would look complete.
            guard !Self.framing.contains(last.name) else {
                throw Malformed(reason: "its \(last.name.rawName) is folded, which hides the end of its body")
            }
            let folded = HTTPField(name: last.name, value: "\(last.value) \(Self.text(line))")
            fields[fields.index(before: fields.endIndex)] = folded
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw Malformed(reason: "its head has a line without a colon")
        }
        let text = Self.text(line[..<colon])
        isLastLineDropped = false
        guard let name = HTTPField.Name(text) else {
            // RFC 9112 §5.1: a proxy removes this space, and then the field frames the body. The
            // field is ignored by libcurl, so a truncated body would look complete.
            if let name = HTTPField.Name(text.trimmed), Self.framing.contains(name) {
                throw Malformed(reason: "its \(name.rawName) has a space before the colon")
            }
            isLastLineDropped = true
            return
        }
        fields.append(HTTPField(name: name, value: Self.text(line[(colon + 1)...])))
    }

    /// Decodes a field. It may hold UTF-8; older servers send Latin-1, which any bytes are (RFC
    /// 9110 §5.5).
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Refuses ambiguous framing: one recipient's body would be the next recipient's second
    /// response (RFC 9112 §6.3). If there are several lengths, libcurl uses the last. It also
    /// accepts digits with other text after them.
    private mutating func settleFraming() throws(Malformed) {
        let lengths = fields.members(of: .contentLength)
        // RFC 9110 §8.6 allows equal repeated lengths.
        guard Set(lengths).count < 2 else { throw Malformed(reason: "it has two different values of Content-Length") }
        // `Int64` alone would accept a sign.
        guard lengths.allSatisfy({ Int64($0) != nil && $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            throw Malformed(reason: "its Content-Length is not a valid number of bytes")
        }
        switch fields.members(of: .transferEncoding).filter({ !$0.isEmpty }).map({ $0.lowercased() }) {
        // An empty `Transfer-Encoding` that is present is not this case, and is refused below.
        case [] where fields[.transferEncoding] == nil: return
        case ["identity"]: fields[.transferEncoding] = nil
        case ["chunked"]:
            // libcurl joins the chunks, and their sizes give the length.
            fields[.transferEncoding] = nil
            // RFC 9112 §6.3: `Transfer-Encoding` overrides `Content-Length`.
            fields[.contentLength] = nil
        default:
            // libcurl would decode gzip, and let a truncated body look complete.
            throw Malformed(reason: "it has a Transfer-Encoding other than chunked, which the request did not ask for")
        }
    }
}

extension HTTPFields {
    /// Returns the list members of all fields with that name.
    fileprivate func members(of name: HTTPField.Name) -> [String] {
        // RFC 9110 §5.3: several fields with one name are one list.
        self[values: name].flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        }
    }
}

extension String {
    /// The text without spaces and tabs at both ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.utf8.first, first == 32 || first == 9 { text.removeFirst() }
        while let last = text.utf8.last, last == 32 || last == 9 { text.removeLast() }
        return String(text)
    }
}
#endif
