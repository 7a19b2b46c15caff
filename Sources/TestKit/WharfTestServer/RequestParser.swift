import WharfCore
import WharfPrimitives

/// An incremental parser of HTTP/1 requests (RFC 9112), without I/O.
///
/// - The result does not depend on the way in which the bytes are split.
/// - Memory is bounded by ``RequestLimits``.
/// - Each byte of a body is moved once, so the time for a long upload is linear in its length.
///
/// After an error the parser must not be used again.
struct RequestParser {
    /// The connection's next step.
    enum Step {
        case needsMore
        /// The client waits for permission to send its body (RFC 9110 §10.1.1).
        case sendContinue
        case request(TestRequest)
    }

    private enum Place {
        case head
        case body(length: Int)
        case chunkSize
        case chunk(size: Int)
        case trailers
    }

    // Between steps:
    // - `buffer` begins at the part that `place` names.
    // - `request` is set exactly while `place` is not the head.
    // - `searched` never passes a start of the pattern that `place` looks for.
    private let limits: RequestLimits
    private var buffer: [UInt8] = []
    /// The number of bytes at the front of `buffer` that contain no start of the pattern.
    private var searched = 0
    private var place = Place.head
    /// The request whose body or trailers are being read.
    private var request: TestRequest?
    private var wantsContinue = false

    init(limits: RequestLimits = RequestLimits()) { self.limits = limits }

    /// The number of bytes in memory.
    var byteCount: Int { buffer.count + (request?.body.count ?? 0) }

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    mutating func step() throws(MalformedRequest) -> Step {
        while try advance() {
            // Back at the head with a request: it is complete.
            if case .head = place, let request {
                self.request = nil
                return .request(request)
            }
        }
        guard wantsContinue else { return .needsMore }
        wantsContinue = false
        return .sendContinue
    }

    /// Reads the next part.
    ///
    /// - Returns: false if it needs more bytes.
    private mutating func advance() throws(MalformedRequest) -> Bool {
        switch place {
        case .head: try readHead()
        case .body(let length): readBody(length)
        case .chunkSize: try readChunkSize()
        case .chunk(let size): try readChunk(size)
        case .trailers: try readTrailers()
        }
    }

    private mutating func readHead() throws(MalformedRequest) -> Bool {
        // Some clients send an empty line after a body (RFC 9112 §2.2).
        while buffer.starts(with: [13, 10]) { take(2) }
        // The hello of a TLS client, for example, has no end to wait for.
        if let first = buffer.first, first < 0x20, first != 13 {
            throw MalformedRequest("expected a method, found the byte \(first); use http, not https")
        }
        let error = Self.tooLarge("a head", limits.fieldBytes)
        guard let end = try find([13, 10, 13, 10], within: limits.fieldBytes, orElse: error) else { return false }
        let head = try RequestHead(buffer[..<end], limits: limits)
        take(end + 4)
        request = head.request
        switch head.framing {
        case .length(let length):
            place = .body(length: length)
            // There is nothing to permit without a body.
            wantsContinue = head.wantsContinue && length > 0
        case .chunked:
            place = .chunkSize
            wantsContinue = head.wantsContinue
        }
        return true
    }

    private mutating func readBody(_ length: Int) -> Bool {
        guard buffer.count >= length else { return false }
        request?.body = Array(buffer[..<length])
        take(length)
        endRequest()
        return true
    }

    private mutating func readChunkSize() throws(MalformedRequest) -> Bool {
        let tooLong = MalformedRequest(
            "expected a chunk size and its extensions in at most \(limits.chunkLineBytes) bytes")
        guard let end = try find([13, 10], within: limits.chunkLineBytes, orElse: tooLong) else { return false }
        guard let size = Self.chunkSize(buffer[..<end]) else {
            throw MalformedRequest("expected a chunk size in hexadecimal digits, found other characters")
        }
        // Written as a subtraction: a size of `Int.max` would overflow a sum.
        guard size <= limits.bodyBytes - (request?.body.count ?? 0) else {
            throw MalformedRequest(
                "expected a body of at most \(limits.bodyBytes) bytes, found a longer one", status: .contentTooLarge)
        }
        take(end + 2)
        place = size == 0 ? .trailers : .chunk(size: size)
        return true
    }

    private mutating func readChunk(_ size: Int) throws(MalformedRequest) -> Bool {
        guard buffer.count >= size + 2 else { return false }
        guard buffer[size] == 13, buffer[size + 1] == 10 else {
            throw MalformedRequest("expected CRLF after a chunk of \(size) bytes, found other bytes")
        }
        request?.body += buffer[..<size]
        take(size + 2)
        place = .chunkSize
        return true
    }

    private mutating func readTrailers() throws(MalformedRequest) -> Bool {
        // No trailers: the empty line follows at once.
        if buffer.starts(with: [13, 10]) {
            take(2)
            endRequest()
            return true
        }
        let error = Self.tooLarge("trailers", limits.fieldBytes)
        guard let end = try find([13, 10, 13, 10], within: limits.fieldBytes, orElse: error) else { return false }
        request?.trailerFields = try RequestHead.fields(buffer[..<end])
        take(end + 4)
        endRequest()
        return true
    }

    private mutating func endRequest() {
        place = .head
        wantsContinue = false
    }
}

extension RequestParser {
    /// Finds a pattern, and remembers the position up to which it has searched.
    ///
    /// - Parameter limit: the maximum number of bytes up to the end of the pattern.
    /// - Returns: the start of the pattern, or nil if it has not arrived yet.
    private mutating func find(
        _ pattern: [UInt8], within limit: Int, orElse error: MalformedRequest
    ) throws(MalformedRequest) -> Int? {
        guard let start = Self.find(pattern, in: buffer[searched...]) else {
            // The last bytes may be the start of the pattern.
            searched = max(0, buffer.count - pattern.count + 1)
            guard buffer.count < limit else { throw error }
            return nil
        }
        guard start + pattern.count <= limit else { throw error }
        return start
    }

    private mutating func take(_ count: Int) {
        buffer.removeSubrange(..<count)
        searched = 0
    }

    private static func tooLarge(_ part: String, _ limit: Int) -> MalformedRequest {
        MalformedRequest(
            "expected \(part) of at most \(limit) bytes, found more", status: .requestHeaderFieldsTooLarge)
    }

    /// - Returns: nil if the line is no chunk size, and `Int.max` if the size exceeds `Int`.
    private static func chunkSize(_ line: ArraySlice<UInt8>) -> Int? {
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 9 }) else { return nil }
        var digits = line.prefix { $0 != UInt8(ascii: ";") }
        // White space is allowed only before an extension (RFC 9112 §7.1.1).
        if digits.count < line.count { while digits.last == 32 || digits.last == 9 { digits.removeLast() } }
        guard !digits.isEmpty, digits.allSatisfy(OctetSet.hexDigits.contains) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    }

    static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - pattern.count)).first { bytes[$0...].starts(with: pattern) }
    }
}
