#if TestServer
import WharfCore

/// Takes bytes as they come and gives whole requests (RFC 9112), as a value without I/O.
struct RequestParser {
    struct Malformed: Error {
        let reason: String
    }

    /// What the connection does next.
    enum Step {
        case needsMore
        /// The client waits for leave to send its body (RFC 9110 §10.1.1).
        case sendContinue
        case request(TestRequest)
    }

    private struct Head {
        var request: TestRequest
        var length: Int
        var isChunked: Bool
        var wantsContinue: Bool
    }

    private var buffer: [UInt8] = []
    private var head: Head?
    /// What has come of a chunked body.
    private var chunks: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    mutating func step() throws(Malformed) -> Step {
        if head == nil {
            // A TLS client's hello, for one: it has no end that could be waited for.
            if let first = buffer.first, first < 0x20, first != 13, first != 10 {
                throw Malformed(reason: "the byte \(first) in place of a method")
            }
            guard let end = Self.find([13, 10, 13, 10], in: buffer[...]) else { return .needsMore }
            head = try Self.parse(head: buffer[..<end])
            buffer.removeSubrange(..<(end + 4))
        }
        guard var head else { return .needsMore }
        guard let body = try takeBody(head) else {
            guard head.wantsContinue else { return .needsMore }
            head.wantsContinue = false
            self.head = head
            return .sendContinue
        }
        self.head = nil
        var request = head.request
        request.body = body
        return .request(request)
    }

    /// The body, when it is whole. Each chunk leaves the buffer once, so that a long upload takes time by its length.
    private mutating func takeBody(_ head: Head) throws(Malformed) -> [UInt8]? {
        guard head.isChunked else {
            guard buffer.count >= head.length else { return nil }
            defer { buffer.removeSubrange(..<head.length) }
            return Array(buffer[..<head.length])
        }
        var place = 0
        defer { buffer.removeSubrange(..<place) }
        while let lineEnd = Self.find([13, 10], in: buffer[place...]) {
            let line = String(decoding: buffer[place..<lineEnd].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            guard let size = Int(line, radix: 16), (0...(1 << 30)).contains(size) else {
                throw Malformed(reason: "chunk size \(line)")
            }
            let start = lineEnd + 2
            guard buffer.count - start >= size + 2 else { return nil }
            place = start + size + 2
            if size == 0 {
                defer { chunks = [] }
                return chunks
            }
            chunks += buffer[start..<(start + size)]
        }
        return nil
    }

    private static func parse(head: ArraySlice<UInt8>) throws(Malformed) -> Head {
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)[
            ...]
        let line = lines.popFirst() ?? ""
        let parts = line.split(separator: " ")
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1."), let method = HTTPRequest.Method(String(parts[0])) else {
            throw Malformed(reason: "request line \(line)")
        }
        var fields = HTTPFields()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                throw Malformed(reason: "field \(line)")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields.append(HTTPField(name: name, value: String(value)))
        }
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let length = fields[.contentLength].map { Int($0) ?? -1 } ?? 0
        guard length >= 0 else { throw Malformed(reason: "Content-Length \(fields[.contentLength] ?? "")") }
        return Head(
            request: TestRequest(
                number: 0, connection: 0, method: method, path: String(target[0]),
                query: target.count > 1 ? String(target[1]) : nil, fields: fields, body: []),
            length: length,
            isChunked: fields[.transferEncoding]?.lowercased() == "chunked",
            wantsContinue: fields[.expect]?.lowercased() == "100-continue")
    }

    static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - pattern.count)).first { bytes[$0...].starts(with: pattern) }
    }
}
#endif
