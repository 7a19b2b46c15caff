internal import Synchronization
package import WharfCore
package import WharfPrimitives
package import WharfStorage

/// The facts about a stored head that the policy needs, parsed once.
///
/// Everything except the passing of time is computed on creation, so a hit costs arithmetic and no
/// parsing.
package final class ResponseFacts: Sendable {
    package let head: StoredHead
    package let requestedAt: WallTime
    package let respondedAt: WallTime
    package let cacheControl: CacheControl
    package let vary: VaryFields
    package let validators: Validators
    /// Whether the response has only a part of its body (206). It is never a complete answer.
    package let isPartial: Bool
    /// The place of the stored part; nil for a complete response.
    package let contentRange: ContentRange?
    /// Whether the head has cookies, as one that was stored under another configuration may.
    let hasCookies: Bool
    /// Whether the response answers a request with another `Accept-Encoding`, if that one accepts a
    /// body without coding.
    private let suitsAnyCoding: Bool
    private let apparentAge: Duration
    private let correctedAge: Duration
    private let lifetime: Duration
    private let basis: Freshness.Basis
    /// `freshness_lifetime` and `corrected_initial_age` in nanoseconds. Dividing a `Duration` costs
    /// more than a look-up.
    private let lifetimeNanoseconds: Int64
    private let initialAgeNanoseconds: Int64
    // Only a memo: all hits could compute it again. The lock is held for a copy of the head.
    private let lastServed = Mutex<(age: Int64, head: HTTPResponse)?>(nil)

    package init(_ head: StoredHead, isShared: Bool) {
        self.head = head
        self.requestedAt = head.requestedAt
        self.respondedAt = head.respondedAt
        let fields = head.response.headerFields
        let directives = ResponseDirectives(fields, isShared: isShared)
        self.cacheControl = directives.control
        self.vary = VaryFields(fields)
        self.isPartial = head.response.status.code == 206
        self.contentRange = isPartial ? head.response.contentRange : nil
        self.hasCookies = HTTPField.Name.ofCookies.contains { fields.contains($0) }
        // A shared cache would answer clients that accept gzip without it until the response is
        // stale.
        self.suitsAnyCoding = !isShared && fields[.contentEncoding] == nil
        let date = fields[values: .date].first.flatMap(WallTime.init(httpDate:))
        self.validators = Validators(fields, date: date ?? head.respondedAt)
        // RFC 9111 §5.1: the first of several values counts. An invalid one counts as 0.
        let age = fields[.age].flatMap { FieldList.members($0).first }.flatMap { FieldList.deltaSeconds($0) } ?? 0
        // `Date` has whole seconds, so the fraction is dropped. Otherwise a response would have an
        // age at the moment of its arrival.
        self.apparentAge = .seconds(max(.zero, head.respondedAt - (date ?? head.respondedAt)).wholeSeconds)
        // corrected_age_value = age_value + response_delay (RFC 9111 §4.2.3). A clock that was set
        // back in between gives no negative delay.
        self.correctedAge = .seconds(age) + max(.zero, head.respondedAt - head.requestedAt)
        (self.lifetime, self.basis) = Self.lifetime(
            head.response, directives, date: date ?? head.respondedAt, isShared: isShared
        )
        self.lifetimeNanoseconds = lifetime.saturatedNanoseconds
        // corrected_initial_age = max(apparent_age, corrected_age_value).
        self.initialAgeNanoseconds = max(apparentAge, correctedAge).saturatedNanoseconds
    }

    /// Returns whether this response may answer the request: `Vary` matches, and a part has the
    /// range.
    package func answers(_ request: RequestFacts) -> Bool {
        matches(request) && (!isPartial || hasRange(of: request))
    }

    /// Returns whether this part has all bytes that the request asks for (RFC 9111 §3.3).
    private func hasRange(of request: RequestFacts) -> Bool {
        // A request without a range, and HEAD, get nothing of a part.
        guard let contentRange, let asked = request.range?.bytes(of: contentRange.length) else { return false }
        return contentRange.bytes.lowerBound <= asked.lowerBound && asked.upperBound <= contentRange.bytes.upperBound
            // RFC 9110 §13.1.5: for another version the client gets the whole body, which is not
            // here.
            && request.ifRange.map(validators.isExactly) ?? true
            // Encoded bytes don't continue the decoded ones of a reader without Accept-Encoding.
            && request.continues(head.response.headerFields[.contentEncoding])
    }

    /// Returns whether the request has the fields that selected this response.
    ///
    /// In a private cache `Accept-Encoding` does not matter if the stored body has no coding and
    /// the request accepts that. Such a body is acceptable to each of these requests (RFC 9110
    /// §12.5.3), and two kinds of requests need it:
    /// - A range is requested without `Accept-Encoding`, the whole body before it with one.
    /// - Entries of earlier versions have decoded bodies, which were selected without it.
    package func matches(_ request: RequestFacts) -> Bool {
        if case .none = vary { return true }
        return vary.match(
            head.varying, request.fields, account: request.key.account, suitsAnyCoding: suitsAnyCoding)
    }

    /// Returns the freshness at a moment, as RFC 9111 §4.2.3 computes it.
    package func freshness(at now: WallTime) -> Freshness {
        Freshness(
            apparentAge: apparentAge, correctedAge: correctedAge, residentTime: residentTime(at: now),
            freshnessLifetime: lifetime, basis: basis
        )
    }

    /// Returns the time since the response arrived. If the clock was set back, that is the size of
    /// the jump. Otherwise a response from a wrong future would stay fresh until that future comes.
    private func residentTime(at now: WallTime) -> Duration {
        now >= respondedAt ? now - respondedAt : respondedAt - now
    }

    /// Returns the provenance of this response at a moment.
    package func provenance(
        _ source: Source, at now: WallTime, failure: TransportError? = nil, status: CacheStatus
    ) -> Provenance {
        let age = currentAgeNanoseconds(at: now)
        // The times are from servers and stores, so sums saturate. A trap would let a server end
        // the process.
        let (asOf, overflow) = now.nanoseconds.subtractingReportingOverflow(age)
        let origin = WallTime(nanoseconds: overflow ? .min : asOf)
        let (end, endless) = origin.nanoseconds.addingReportingOverflow(lifetimeNanoseconds)
        var status = status
        if status.hit || status.forwardStatus == 304 || status.collapsed == true {
            status.ttl = (lifetimeNanoseconds - age) / 1_000_000_000
        }
        return Provenance(
            source: source, asOf: origin, staleAt: basis == .none ? nil : WallTime(nanoseconds: endless ? .max : end),
            failure: failure, cacheStatus: status, freshness: freshness(at: now)
        )
    }

    private func currentAgeNanoseconds(at now: WallTime) -> Int64 {
        let (since, overflow) = now.nanoseconds.subtractingReportingOverflow(respondedAt.nanoseconds)
        // `abs` of the least number traps.
        let resident = overflow || since == .min ? .max : abs(since)
        let (age, saturated) = initialAgeNanoseconds.addingReportingOverflow(resident)
        return saturated ? .max : age
    }

    /// Returns the head to serve: `Age` is that of this moment, and `Date` is unchanged (RFC 9111
    /// §4, §5.1).
    package func served(at now: WallTime) -> HTTPResponse {
        let seconds = min(currentAgeNanoseconds(at: now) / 1_000_000_000, FieldList.longest)
        // All hits within one second share one head.
        return lastServed.withLock { last in
            if let last, last.age == seconds { return last.head }
            var response = head.response
            response.headerFields[.age] = String(seconds)
            last = (seconds, response)
            return response
        }
    }
}

extension ResponseFacts {
    /// Returns the `freshness_lifetime` (RFC 9111 §4.2.1) and its basis.
    private static func lifetime(
        _ response: HTTPResponse, _ directives: ResponseDirectives, date: WallTime, isShared: Bool
    ) -> (Duration, Freshness.Basis) {
        // The order is that of RFC 9111 §4.2.1: s-maxage, max-age, Expires, heuristic.
        let control = directives.control
        if isShared, let seconds = control.sharedMaxAge { return (.seconds(seconds), .sharedMaxAge) }
        if let seconds = control.maxAge { return (.seconds(seconds), .maxAge) }
        if let expires = directives.expires {
            // An invalid date means expired (RFC 9111 §5.3).
            return (WallTime(httpDate: expires).map { max(.zero, $0 - date) } ?? .zero, .expires)
        }
        // RFC 9111 §4.2.2: the status permits it, or the origin marks the response as cacheable.
        guard response.status.isHeuristicallyCacheable || control.isPublic,
            let modified = response.headerFields[.lastModified].flatMap(WallTime.init(httpDate:)), modified < date
        else { return (.zero, .none) }
        // RFC 9111 §4.2.2 suggests a tenth of the time since the last modification. One day bounds
        // it.
        return (min((date - modified) / 10, .seconds(86_400)), .heuristic)
    }
}

extension HTTPResponse.Status {
    /// RFC 9110 §15.1.
    var isHeuristicallyCacheable: Bool {
        switch code {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Statuses whose caching requirements this cache knows, for `must-understand` (RFC 9111
    /// §5.2.2.3).
    var isUnderstood: Bool {
        switch code {
        case 200...206, 300...303, 307, 308, 400...417, 421, 422, 426, 428, 429, 431, 451, 500...505, 511: true
        default: false
        }
    }
}
