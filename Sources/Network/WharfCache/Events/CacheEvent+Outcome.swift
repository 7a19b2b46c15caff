internal import WharfCore
internal import WharfStorage

extension CacheEvent {
    /// The outcome of a request that got an answer.
    ///
    /// It is derived from the cache status of the answer, so the two can't contradict each other.
    ///
    /// - Parameter isPassedOn: whether no stored response could answer the request.
    init(_ answer: TransportResponse, to request: HTTPRequest, isPassedOn: Bool) {
        let provenance = answer.provenance
        // An answer of another source, such as a file, has the status of no cache or of another
        // one.
        let status = provenance.cacheStatus ?? CacheStatus(hit: false)
        let kind: Kind
        var failure: TransportError.Code?
        if status.detail == CacheStatus.onlyIfCached, status.forward == nil, !status.hit {
            (kind, failure) = (.failed, .nothingKept)
        } else if isPassedOn {
            kind = .passedOn
        } else if status.hit, status.forward != nil {
            (kind, failure) = (.stale(.failure), provenance.failure?.code)
        } else if status.hit {
            kind = Self.kind(ofStored: status, provenance.freshness)
        } else if status.collapsed == true {
            kind = .collapsed
        } else if provenance.source == .revalidated, status.forwardStatus == 304 {
            kind = .revalidated
        } else {
            kind = .miss
        }
        let event = CacheEvent(
            kind, target: Self.target(of: request), method: request.method.rawValue,
            status: answer.head.status.code, byteCount: answer.body.expectedLength, failure: failure)
        self = event.adding(
            forward: status.forward, forwardStatus: status.forwardStatus, age: provenance.freshness?.currentAge)
    }

    /// The outcome of a request that got an error.
    init(_ error: TransportError, of request: HTTPRequest) {
        let event = CacheEvent(
            .failed, target: Self.target(of: request), method: request.method.rawValue, failure: error.code)
        self = event.adding(forwardStatus: error.response?.status.code)
    }

    private static func kind(ofStored status: CacheStatus, _ freshness: Freshness?) -> Kind {
        if status.detail == StaleUse.Decision.whileRevalidating.detail { return .stale(.whileRevalidating) }
        return freshness?.isFresh == false ? .stale(.permitted) : .hit
    }

    /// Returns the URL of a request without user info, query and fragment.
    static func target(of request: HTTPRequest) -> String {
        if let target = TargetURI.of(request) { return target.shown }
        // A request of another scheme, such as `file`.
        let authority = (request.authority ?? "").split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let path = (request.path ?? "").prefix { $0 != "?" && $0 != "#" }
        return "\(request.scheme ?? "")://\(authority)\(path)"
    }

    /// Returns a target in the form of ``/WharfStorage/CacheKey/target`` without user info and
    /// query.
    static func shown(_ target: String) -> String { RedactedURL.text(String(target.prefix { $0 != "?" })) }
}

extension TargetURI {
    /// The target without user info and query, for messages and events.
    var shown: String {
        let path = path.prefix { $0 != "?" }
        // The last one: a password may have an unescaped "@".
        guard let at = origin.lastIndex(of: "@") else { return "\(origin)\(path)" }
        return "\(origin.prefix { $0 != ":" })://\(origin[origin.index(after: at)...])\(path)"
    }
}

extension CacheStatus {
    /// The detail of a 504 in place of the network (RFC 9111 §5.2.1.7).
    static let onlyIfCached = "ONLY-IF-CACHED"
}
