import WharfCache
import WharfCore
import WharfStorage

/// One request, a stored response to an earlier request for its target, and the time of use.
///
/// Fields are text as sent. Times are seconds.
struct ModelExchange: Sendable, CustomStringConvertible {
    struct Field: Sendable {
        var name: String
        var value: String
    }

    var method = "GET"
    var request: [Field] = []
    var status = 200
    var response: [Field] = []
    /// The meaning of `CDN-Cache-Control` as the value of `Cache-Control`; nil if the field is
    /// missing, empty or malformed (RFC 9213 §2.1).
    var targeted: String?
    /// Whether `Content-Location` is the target URI; false if the field is missing or malformed.
    var namesTarget = false
    /// The valid dates of the fields. Each other text is an invalid date.
    var dates: [String: Int64] = [:]
    /// `request_time`, `response_time` and `now` of RFC 9111 §4.2.3.
    var requestTime: Int64 = 0
    var responseTime: Int64 = 0
    var now: Int64 = 0
    var mode = CacheMode.normal
    var configuration = CacheConfiguration.privateClient
    /// Whether other responses for the target are stored, which `Vary` excludes.
    var hasVariants = false
    var isStored = true

    var isShared: Bool { configuration.isShared }

    var description: String {
        let lines = { (fields: [Field]) in fields.map { "\($0.name): \($0.value)" }.joined(separator: " | ") }
        return "\(method) [\(lines(request))] -> \(status) [\(lines(response))] sent \(requestTime), "
            + "arrived \(responseTime), now \(now), \(mode), \(configuration)\(isStored ? "" : ", nothing stored")"
    }

    // MARK: The policy's input

    static func fields(_ fields: [Field]) -> HTTPFields {
        HTTPFields(
            fields.compactMap { field in HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) } })
    }

    static func time(_ seconds: Int64) -> WallTime { noon + .seconds(seconds) }

    var sentRequest: TransportRequest {
        var sent = TransportRequest(
            HTTPRequest(
                method: HTTPRequest.Method(method) ?? .get, scheme: "https", authority: "example.com", path: "/a",
                headerFields: Self.fields(request)),
            // A private cache stores for the user of its account, whom credentials name.
            account: isShared ? nil : Account("1"), cache: mode)
        if method == "POST" { sent.body = .bytes([1]) }
        return sent
    }

    var answer: HTTPResponse { HTTPResponse(status: .init(code: status), headerFields: Self.fields(response)) }

    var head: StoredHead {
        StoredHead(
            response: answer, requestedAt: Self.time(requestTime), respondedAt: Self.time(responseTime))
    }
}
