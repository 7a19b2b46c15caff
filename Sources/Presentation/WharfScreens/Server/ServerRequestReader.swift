internal import WharfCore
internal import WharfPrimitives

/// An incremental parser of one HTTP/1.1 request (RFC 9112), without I/O.
///
/// The result does not depend on how the bytes are split, and memory is bounded. A body needs a
/// `Content-Length`, which senders of the screen protocol set.
struct ServerRequestReader {
    struct Refusal: Error, Equatable {
        var status: HTTPResponse.Status
        var reason: String
    }

    enum Step {
        case needsMore
        /// The sender waits for a 100 before it sends its body (RFC 9110, section 10.1.1).
        case sendContinue
        case request(TransportRequest)
    }

    private struct Head {
        var request: HTTPRequest
        var length: Int
    }

    static let headLimit = 1 << 14

    let bodyLimit: Int
    private var buffer: [UInt8] = []
    private var head: Head?

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    mutating func append(_ bytes: some Sequence<UInt8>) throws(Refusal) -> Step {
        buffer += bytes
        var isNew = false
        if head == nil {
            guard let end = Self.endOfHead(in: buffer.prefix(Self.headLimit)) else {
                // Checked while the head is incomplete, so that the buffer can't grow beyond both
                // limits.
                guard buffer.count < Self.headLimit else {
                    throw Refusal(
                        status: .requestHeaderFieldsTooLarge,
                        reason: "the head of the request is longer than \(Self.headLimit) bytes; send fewer fields")
                }
                return .needsMore
            }
            head = try head(of: buffer[..<end])
            buffer.removeFirst(end + 4)
            isNew = true
        }
        guard let head else { return .needsMore }
        // The length was checked against `bodyLimit` when the head was read.
        guard buffer.count >= head.length else {
            let waits = head.request.headerFields[.expect]?.lowercased() == "100-continue"
            return isNew && waits ? .sendContinue : .needsMore
        }
        let body = Array(buffer.prefix(head.length))
        return .request(TransportRequest(head.request, body: body.isEmpty ? .none : .bytes(body)))
    }

    private static func endOfHead(in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first { index in
            bytes[index] == 13 && bytes[index + 1] == 10 && bytes[index + 2] == 13 && bytes[index + 3] == 10
        }
    }

    private func head(of bytes: ArraySlice<UInt8>) throws(Refusal) -> Head {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let index = rest.indices.first(where: { rest[$0] == 13 && $0 + 1 < rest.endIndex && rest[$0 + 1] == 10 })
        {
            lines.append(rest[..<index])
            rest = rest[(index + 2)...]
        }
        lines.append(rest)
        // Exactly one space between the parts. Tolerant parsers disagree about the target (RFC 9112
        // §3).
        let parts = lines[0].split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, let method = HTTPRequest.Method(String(decoding: parts[0], as: UTF8.self)),
            parts[1].first == UInt8(ascii: "/"), parts[1].allSatisfy({ (0x21...0x7e).contains($0) }),
            parts[2].elementsEqual("HTTP/1.1".utf8)
        else { throw Self.malformed("the request line is not of the form METHOD /PATH HTTP/1.1") }
        var fields = HTTPFields()
        for line in lines.dropFirst() { fields.append(try Self.field(line)) }
        let hosts = HTTPField.Name("Host").map { fields[values: $0] } ?? []
        // RFC 9112, section 3.2: a request without `Host`, or with several, is refused.
        guard hosts.count == 1 else {
            throw Self.malformed("the request has \(hosts.count) Host fields; send one")
        }
        let length = try length(by: fields)
        let target = String(decoding: parts[1], as: UTF8.self)
        let request = HTTPRequest(
            method: method, scheme: "http", authority: hosts[0], path: target, headerFields: fields)
        return Head(request: request, length: length)
    }

    /// Parses a field. It refuses whitespace before the colon and folded lines (RFC 9112, section
    /// 5).
    private static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> HTTPField {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)),
            line[colon...].allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 9 })
        else { throw malformed("a line of the head is not of the form NAME: VALUE") }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 32 || first == 9 { value.removeFirst() }
        while let last = value.last, last == 32 || last == 9 { value.removeLast() }
        return HTTPField(name: name, value: String(decoding: value, as: UTF8.self))
    }

    /// Two parsers that disagree on the length see different requests. So every ambiguous length is
    /// refused (RFC 9112, section 6.3).
    private func length(by fields: HTTPFields) throws(Refusal) -> Int {
        guard fields[.transferEncoding] == nil else {
            throw Refusal(
                status: .notImplemented, reason: "transfer codings are not supported; send the body with Content-Length"
            )
        }
        let lengths = fields[values: .contentLength]
        guard let text = lengths.first else { return 0 }
        guard lengths.count == 1, !text.isEmpty,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw Self.malformed("Content-Length is not a single number") }
        guard let length = Int(text), length <= bodyLimit else {
            throw Refusal(
                status: .contentTooLarge, reason: "the body is longer than \(bodyLimit) bytes; send a shorter one")
        }
        return length
    }

    private static func malformed(_ reason: String) -> Refusal { Refusal(status: .badRequest, reason: reason) }
}
