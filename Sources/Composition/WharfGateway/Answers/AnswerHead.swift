#if Server
internal import NIOHTTP1
internal import WharfCore

/// Makes the head that the client gets of the transport's answer.
struct AnswerHead: Sendable {
    let head: HTTPResponseHead
    let hasBody: Bool
    /// Whether trailers have a place after the body.
    private let takesTrailers: Bool
    /// Whether the connection closes after the answer.
    let closes: Bool

    /// - Parameters:
    ///   - closes: whether the connection closes after the answer.
    ///   - now: the time for `Date` if the origin sent none.
    init(
        _ answer: TransportResponse, to method: HTTPRequest.Method, version: ClientVersion, closes: Bool,
        name: String, now: WallTime
    ) {
        let response = answer.head
        var headers = HTTPHeaders()
        headers.reserveCapacity(response.headerFields.count + 4)
        let hopByHop = HopByHop(connection: response.headerFields[values: .connection])
        hasBody = response.hasBody(for: method)
        // RFC 9110 §8.6: 1xx and 204 have no Content-Length.
        let isWithoutLength = response.status.code < 200 || response.status.code == 204
        var hasDate = false
        var hasLength = false
        for field in response.headerFields {
            let lower = field.name.canonicalName
            if hopByHop.contains(lower) { continue }
            switch (lower.utf8.count, lower) {
            case (4, "date"): hasDate = true
            case (14, "content-length"):
                // A list of equal lengths becomes one, and an unreadable one would end the message
                // elsewhere than its body does.
                guard !isWithoutLength, !hasLength,
                    let length = hasBody ? answer.body.expectedLength : Int64(field.value)
                else { continue }
                hasLength = true
                headers.add(name: field.name.rawName, value: String(length))
                continue
            default: break
            }
            headers.add(name: field.name.rawName, value: field.value)
        }
        if hasBody, !hasLength, let length = answer.body.expectedLength {
            hasLength = true
            headers.add(name: "Content-Length", value: String(length))
        }
        // RFC 9110 §6.6.1: a recipient with a clock adds the missing field.
        if !hasDate { headers.add(name: "Date", value: now.httpDate) }
        headers.add(name: "Via", value: "1.1 \(name)")
        // RFC 9211 §2: after the members of the caches nearer to the origin.
        let status = answer.provenance.cacheStatus ?? CacheStatus(hit: false, forward: .bypass)
        headers.add(name: "Cache-Status", value: status.fieldValue(cache: name))
        let isUnframed = hasBody && !hasLength
        let isChunked = isUnframed && version == .http11
        if isChunked { headers.add(name: "Transfer-Encoding", value: "chunked") }
        // RFC 9112 §7.1.2: a body with a length has no place for trailers. HTTP/2 has it always.
        takesTrailers = isChunked || version == .http2
        // HTTP/1.0 has no chunks: the end of the connection is the end of the body.
        self.closes = closes || (isUnframed && version == .http10)
        // RFC 9113 §8.2.2: HTTP/2 has no fields of the connection.
        if self.closes, version != .http2 { headers.add(name: "Connection", value: "close") }
        head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status.code), headers: headers)
    }

    /// Creates the head of an answer of the gateway itself.
    ///
    /// - Parameter namesClose: whether the head says that the connection closes, which HTTP/2
    ///   can't.
    init(_ refusal: Refusal, length: Int, closes: Bool, namesClose: Bool, name: String, now: WallTime) {
        var headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Content-Length": String(length),
            // Some of the statuses are stored by heuristics (RFC 9110 §15.1).
            "Cache-Control": "no-store", "Date": now.httpDate,
            "Cache-Status": refusal.cacheStatus.fieldValue(cache: name),
        ]
        if closes, namesClose { headers.add(name: "Connection", value: "close") }
        head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: refusal.status.code), headers: headers)
        hasBody = true
        takesTrailers = false
        self.closes = closes
    }

    /// Returns the trailers for the client.
    ///
    /// nil if there are none, or no place for them.
    func trailers(_ fields: HTTPFields?) -> HTTPHeaders? {
        guard takesTrailers, let fields, !fields.isEmpty else { return nil }
        let headers = Self.endToEnd(fields)
        return headers.isEmpty ? nil : headers
    }

    /// Makes the head of an interim response of the origin.
    static func interim(_ response: HTTPResponse) -> HTTPResponseHead {
        HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status.code),
            headers: endToEnd(response.headerFields))
    }

    /// Returns the fields without those of the connection and of the framing.
    ///
    /// Neither has a meaning in trailers (RFC 9110 §6.5.1) or in an interim response.
    private static func endToEnd(_ fields: HTTPFields) -> HTTPHeaders {
        let hopByHop = HopByHop(connection: fields[values: .connection])
        var headers = HTTPHeaders()
        for field in fields where field.name != .contentLength && !hopByHop.contains(field.name.canonicalName) {
            headers.add(name: field.name.rawName, value: field.value)
        }
        return headers
    }
}
#endif
