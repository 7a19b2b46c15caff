internal import WharfCore

/// An answer of the gateway itself, in place of the origin's.
struct Refusal: Error {
    let status: HTTPResponse.Status
    /// The reason and the remedy, for the client.
    let message: String
    let cacheStatus: CacheStatus
    let failure: TransportError?
    /// Whether the connection must close, because the next request can't be found on it.
    let closes: Bool

    /// Creates the answer to a request that was not passed on.
    init(_ code: Int, _ message: String) {
        status = HTTPResponse.Status(code: code)
        self.message = message
        cacheStatus = CacheStatus(hit: false, detail: "REFUSED")
        failure = nil
        closes = true
    }

    /// Creates the answer for a failure of the transport.
    init(_ failure: TransportError) {
        switch failure.code {
        case .timedOut, .nothingKept: status = .gatewayTimeout
        case .invalidRequest: status = .badRequest
        default: status = .badGateway
        }
        message = failure.message
        cacheStatus = CacheStatus(
            hit: false, detail: failure.code == .nothingKept ? "ONLY-IF-CACHED" : failure.code.name)
        self.failure = failure
        closes = false
    }

    static func malformed(_ reason: String) -> Refusal { Refusal(400, "the request is malformed: \(reason)") }

    /// The refusal of a head that is longer than the limit (RFC 6585 §5).
    static func longHead(_ limit: Int) -> Refusal {
        Refusal(431, "the head is longer than the limit of \(limit) bytes; send fewer or shorter fields")
    }

    /// The refusal of a body that is longer than the limit.
    static func tooLarge(_ limit: Int64) -> Refusal {
        Refusal(413, "the body is longer than the limit of \(limit) bytes; send it in parts, or raise requestBodyLimit")
    }

    /// The refusal of a body that the client did not send in time.
    static func tooSlow(_ limit: Duration) -> Refusal {
        Refusal(408, "no byte of the body arrived within \(limit); send the request again")
    }
}
