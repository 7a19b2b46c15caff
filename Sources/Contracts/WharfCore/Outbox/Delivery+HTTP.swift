// The meaning of HTTP's statuses for an entry. If a service uses them in another way, the
// classification of `OutboxEngine` or the destination itself handles it.
extension Delivery.Verdict {
    /// Creates the verdict of an answer.
    ///
    /// | status | verdict |
    /// |---|---|
    /// | 2xx | delivered |
    /// | 401, 407 | needs authentication (RFC 9110 §15.5.2, §15.5.8) |
    /// | 409 | retry: a request of the same `Idempotency-Key` is in progress (draft-ietf-httpapi-idempotency-key-header-07 §2.6) |
    /// | 412 | conflict (§15.5.13) |
    /// | 429, or 403 with a quota that is used up | rate limited (RFC 6585 §4), until the time that it or a quota field names |
    /// | 408, 425, 5xx but 501 and 505 | retry, not before `Retry-After` (§10.2.3) |
    /// | outside of 100 to 599 | the same, as a 5xx (§15) |
    /// | 413 with `Retry-After` | retry, not before that time; other lanes go on (§15.5.14) |
    /// | 511 | offline: a proxy on the way has answered, such as a captive portal (RFC 6585 §6) |
    /// | any other | rejected |
    ///
    /// An outbox gives up a 409 as a conflict if it stays one; see `OutboxRetry`.
    ///
    /// - Parameters:
    ///   - excerpt: the beginning of the body, for people.
    ///   - theirs: the receiver's state, if the body of a conflict has it.
    ///   - now: the present time, for a `Retry-After` that is a date.
    public init(_ response: HTTPResponse, excerpt: String = "", theirs: [UInt8]? = nil, now: WallTime) {
        let status = response.status
        func failure(_ code: DeliveryFailure.Code) -> DeliveryFailure {
            let says = excerpt.isEmpty ? "" : ": \(excerpt)"
            return DeliveryFailure(
                code, message: "the receiver responded with status \(status)\(says)", status: status.code)
        }
        switch status.code {
        case 200..<300: self = .delivered
        case 401, 407: self = .needsAuthentication(failure(.needsAuthentication))
        case 409: self = .retry(failure(.inProgress))
        case 412: self = .conflict(failure(.conflict), theirs: theirs)
        case 429:
            self = .rateLimited(failure(.rateLimited), after: QuotaFields.pause(in: response.headerFields, now: now))
        case 403:
            // GitHub sends this status instead of 429 ("Rate limits for the REST API").
            let pause = QuotaFields.pause(in: response.headerFields, now: now)
            self = pause.map { .rateLimited(failure(.rateLimited), after: $0) } ?? .rejected(failure(.rejected))
        case 413:
            // The field `Retry-After` says that the condition is temporary. Without this check, a
            // request that the server would accept later becomes a dead letter. The code is not
            // `unavailable`, because that would also hold back the smaller requests of other lanes.
            let pause = RetryAfter.delay(in: response.headerFields, now: now)
            self = pause.map { .retry(failure(.rejected), after: $0) } ?? .rejected(failure(.rejected))
        case 501, 505: self = .rejected(failure(.rejected))
        // The receiver never saw the request. As a retry, each probe behind a portal would count,
        // and the entry would become a dead letter although it never reached its receiver.
        case 511: self = .offline(failure(.offline))
        // RFC 9110 §15: a status outside of 100 to 599 is processed as a 5xx.
        case 408, 425, ..<100, 500...:
            self = .retry(failure(.unavailable), after: RetryAfter.delay(in: response.headerFields, now: now))
        default: self = .rejected(failure(.rejected))
        }
    }

    /// Creates the verdict of a request without an answer.
    ///
    /// Either the receiver was not reached, or that is unknown, or the request can't be sent.
    public init(_ error: TransportError, now: WallTime) {
        func failure(_ code: DeliveryFailure.Code) -> DeliveryFailure {
            DeliveryFailure(code, message: error.message, status: error.response?.status.code)
        }
        switch error.code {
        // An unavailable credential does not mean that the user must sign in: the service that
        // renews it may be unreachable. A failed handshake, as behind a proxy that intercepts TLS,
        // is a fault of the network and not of the request. As a rejection, it would make each
        // entry a dead letter.
        case .connectionFailed, .hostNotFound, .offline, .tlsFailed, .pinningFailed, .credentialUnavailable:
            self = .offline(failure(.offline))
        case .invalidRequest, .fileUnreadable, .bodyNotReplayable, .unsafeRedirect, .tooManyRedirects:
            self = .rejected(failure(.rejected))
        default:
            let fields = error.response?.headerFields ?? [:]
            self = .retry(failure(.noAnswer), after: RetryAfter.delay(in: fields, now: now))
        }
    }
}
