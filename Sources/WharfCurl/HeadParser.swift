#if os(Linux)
internal import WharfCore

/// Joins the lines that libcurl passes one by one to the final head of an answer.
///
/// libcurl passes interim heads (1xx) and trailers through the same callback. The parser drops both: interim heads because each
/// ends with an empty line and a status below 200, trailers because they follow the final head.
struct HeadParser {
    /// Of all lines of one answer. Servers send 8 to 16 KB; libcurl's own limits are 100 KB for a line and, in newer versions, 300 KB
    /// in all, which it reports as a failure to receive.
    static let limit = 256 << 10

    /// Why the lines are no head.
    struct Malformed: Error, Equatable {
        let reason: String
    }

    /// Bytes of lines so far.
    private(set) var count = 0
    /// Whether the final head is complete. libcurl reports success for a head that was cut, so success without it is an error.
    private(set) var isDone = false
    private var status: Int?
    private var fields = HTTPFields()

    /// - Parameter line: with the line break that ends it.
    /// - Returns: the final head, at the empty line that ends it.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(Malformed) -> HTTPResponse? {
        count += line.count
        guard count <= Self.limit else {
            throw Malformed(reason: "its head is longer than \(Self.limit >> 10) KB, which is the limit here")
        }
        guard !isDone else { return nil }
        var text = line[...]
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        // libcurl ends the head at a line that begins with one (RFC 9112 §2.2).
        guard !text.contains(UInt8(ascii: "\r")) else { throw Malformed(reason: "its head has a bare CR") }
        guard let status else {
            status = try Self.status(in: text)
            return nil
        }
        guard text.isEmpty else {
            try takeField(text)
            return nil
        }
        defer { self.status = nil }
        guard status >= 200 else {
            guard status != 101 else {
                throw Malformed(reason: "it switches protocols (101), which the request did not ask for")
            }
            // libcurl would frame the final answer's body by these (RFC 9110 §8.6, RFC 9112 §6.1 forbid them here).
            guard fields[.contentLength] == nil, fields[.transferEncoding] == nil else {
                throw Malformed(reason: "an interim head frames a body, which it can't have")
            }
            fields = HTTPFields()
            return nil
        }
        isDone = true
        try settleFraming()
        return HTTPResponse(status: .init(code: status), headerFields: fields)
    }

    /// libcurl takes any line that begins with "HTTP/" for a status line.
    private static func status(in line: Slice<UnsafeRawBufferPointer>) throws(Malformed) -> Int {
        let words = Self.text(line).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1, isVersion(words[0].utf8), words[1].utf8.count == 3, words[1].utf8.allSatisfy(isDigit),
            let status = Int(words[1]), status >= 100
        else { throw Malformed(reason: "its status line has no version and no status of three digits (RFC 9112 §4)") }
        return status
    }

    /// Of HTTP/1, or the one that libcurl writes in the place of what HTTP/2 and HTTP/3 do not send.
    private static func isVersion(_ word: Substring.UTF8View) -> Bool {
        if word.elementsEqual("HTTP/2".utf8) || word.elementsEqual("HTTP/3".utf8) { return true }
        guard let last = word.last, isDigit(last) else { return false }
        return word.dropLast().elementsEqual("HTTP/1.".utf8)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func takeField(_ line: Slice<UnsafeRawBufferPointer>) throws(Malformed) {
        if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            // RFC 9112 §5.2: a user agent takes the fold of a line for a space.
            guard let last = fields.last else { throw Malformed(reason: "its head begins with a folded line") }
            let folded = HTTPField(name: last.name, value: "\(last.value) \(Self.text(line))")
            fields[fields.index(before: fields.endIndex)] = folded
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw Malformed(reason: "its head has a line without a colon")
        }
        // A name with other characters than those of a token names no field that a reader could ask for. With a space before
        // the colon it is none to libcurl either, which would not frame a body by it.
        guard let name = HTTPField.Name(Self.text(line[..<colon])) else { return }
        fields.append(HTTPField(name: name, value: Self.text(line[(colon + 1)...])))
    }

    /// Fields may hold UTF-8, and older servers send Latin-1 (RFC 9110 §5.5). Any bytes are Latin-1.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// libcurl joins the chunks of a body, so the head that is delivered must not announce them.
    private mutating func settleFraming() throws(Malformed) {
        let codings = fields.list(.transferEncoding).map { $0.lowercased() }
        guard codings.allSatisfy({ $0 == "chunked" || $0 == "identity" }) else {
            // libcurl would decode a gzip of the transfer, and let one that is cut look complete.
            throw Malformed(reason: "it has a Transfer-Encoding other than chunked, which the request did not ask for")
        }
        // Which one frames the body is how responses are smuggled (RFC 9112 §6.3).
        guard Set(fields.list(.contentLength)).count < 2 else {
            throw Malformed(reason: "it has two different values of Content-Length")
        }
        // libcurl reads "1q" as 1, and a number beyond its range as none.
        guard fields[values: .contentLength].isEmpty == fields.list(.contentLength).isEmpty,
            fields.list(.contentLength).allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) && Int64($0) != nil })
        else { throw Malformed(reason: "its Content-Length is no number") }
        guard !codings.isEmpty else { return }
        fields[.transferEncoding] = nil
        fields[.contentLength] = nil
    }
}

extension HTTPFields {
    /// The members of a list, of all fields of that name.
    fileprivate func list(_ name: HTTPField.Name) -> [String] {
        self[values: name].flatMap { $0.split(separator: ",").map { String($0).trimmed } }.filter { !$0.isEmpty }
    }
}

extension String {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.utf8.first, first == 32 || first == 9 { text.removeFirst() }
        while let last = text.utf8.last, last == 32 || last == 9 { text.removeLast() }
        return String(text)
    }
}
#endif
