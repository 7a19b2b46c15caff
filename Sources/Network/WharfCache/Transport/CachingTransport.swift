public import WharfCore
internal import WharfPrimitives
public import WharfStorage

/// A private or shared HTTP cache (RFC 9111) around any transport.
///
/// It follows ``CacheMode`` and the origin's directives. A stored response that replaces a failure
/// has the failure in its provenance. All decisions are made by ``CachePolicy``, a value; each
/// stage of the work has a file of its own.
///
/// - A failure of the store never fails a read: it is reported, and the read goes on without the
///   store.
/// - The body streams to the reader while it is stored. It is committed as complete only if it
///   ended at the announced length.
/// - If a stored response could replace a failure, the body is buffered before the head is
///   returned, up to ``wholeBodyLimit``. So a body that breaks off falls back to the stored
///   response. A longer body streams, and its failure reaches the reader.
/// - With `stale-while-revalidate`, a stale response is returned at once, and revalidated in the
///   background (RFC 5861 §3). At most 16 such revalidations run at the same time.
/// - Concurrent requests for one key send one request (RFC 9111 §4). The others wait until its
///   response is stored, each at most for its own timeout, and look it up. They don't wait for a
///   response that they may not use. If requests wait when the head arrives, the body is read ahead
///   of its reader, up to ``wholeBodyLimit``. For a longer body each sends its own request.
/// - A range of bytes is answered from a complete stored response (RFC 9110 §14), or from a stored
///   part that has all of it.
/// - A partial response (206) is stored if it has one range and a strong validator (RFC 9111 §3.3).
///   Parts of one version that overlap or touch are combined, and become a complete response with
///   their last byte (§3.4). A part is never a complete answer. At most 8 MB of stored bytes are
///   copied for a combination; a new part beside more replaces them. If bytes are missing at one
///   end only, a request for the whole asks the origin for these (`If-Range`).
/// - If a body breaks off or its reader leaves, the bytes that arrived are stored as a part (RFC
///   9111 §3.3). They must be 16 KiB or more of an answer to GET, with a strong validator and a
///   `Content-Length`. The reader gets its error all the same. A complete stored response stays.
/// - A body is stored as the transport delivers it. To store encoded bodies, decode them above the
///   cache, by a `ContentDecodingTransport`.
/// - The answer to POST is stored for later reads if it states its lifetime and names its own
///   target (RFC 9110 §9.3.3).
/// - Interim responses and trailers are passed on and not stored.
/// - Answers to requests with `Authorization` or `Cookie` are stored only for an account. A shared
///   cache also stores the former as RFC 9111 §3.5 permits.
/// - An answer belongs to the account and the top-level site of its request, and is no hit for
///   others ([HTTP cache partitions](https://fetch.spec.whatwg.org/#http-cache-partitions)). An
///   invalidation (RFC 9111 §4.4) reaches all sites of the account.
/// - Each answer has a ``/WharfCore/CacheStatus`` in its provenance. The answer to a request of
///   another scheme than http and https has none, because no cache handles it.
public final class CachingTransport: Transport {
    /// The longest body, in bytes, that is buffered before its head is returned.
    public static let wholeBodyLimit = 1 << 20

    let transport: any Transport
    let store: any CacheStore
    package let policy: CachePolicy
    let clock: any WallClock
    let timer: any Clock<Duration>
    let memo: FactsMemo
    let fence: InvalidationFence
    let collapsed: CollapsedRequests
    let revalidations = BackgroundRevalidations()
    /// The bodies that their readers have left, and whose bytes are being stored.
    let endings = WaitGroup()
    /// nil costs a hit nothing: no event is built.
    var onEvent: CacheEventHandler? { policy.configuration.onEvent }
    private let onIncident: IncidentHandler

    /// Creates a cache around a transport.
    ///
    /// - Parameters:
    ///   - store: the responses.
    ///   - clock: dates requests and responses.
    ///   - timer: measures the timeouts of requests that wait for an equal one.
    ///   - onIncident: gets the failures of the store.
    public init(
        _ transport: any Transport, store: any CacheStore, configuration: CacheConfiguration = .privateClient,
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        onIncident: @escaping IncidentHandler
    ) {
        self.transport = transport
        self.store = store
        self.policy = CachePolicy(configuration)
        self.clock = clock
        self.timer = timer
        self.fence = InvalidationFence()
        self.collapsed = CollapsedRequests(fence)
        self.memo = FactsMemo(policy)
        self.onIncident = onIncident
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let answer: TransportResponse
        var isPassedOn = true
        do throws(TransportError) {
            switch RequestScope.of(request, policy.configuration) {
            case .cacheable(let facts):
                isPassedOn = false
                // A bypass does not use stored responses.
                let found = request.cache == .bypass ? Lookup() : await lookup(facts)
                let now = clock.now()
                let decision = policy.decide(
                    facts, request.cache, found.selected?.facts, hasVariants: found.hasVariants,
                    hasPart: found.part != nil, at: now
                )
                if case .serve(let verdict) = decision, let selected = found.selected {
                    if verdict == .whileRevalidating { revalidateInBackground(request, facts, selected) }
                    answer = serve(selected, facts, verdict, at: now)
                } else {
                    answer = try await resolve(
                        Miss(decision: decision, request: request, facts: facts, found: found, now: now))
                }
            case .unsafe(let target): answer = try await sendUnsafe(request, target)
            case .passing(let reason, let why): answer = try await pass(request, reason, why: why)
            case .foreign: answer = try await transport.send(request)
            }
        } catch {
            // The only two places that report an outcome, so a request has exactly one.
            onEvent?(CacheEvent(error, of: request.head))
            throw error
        }
        onEvent?(CacheEvent(answer, to: request.head, isPassedOn: isPassedOn))
        return answer
    }

    /// Answers a request that takes more than a stored response.
    private func resolve(_ miss: Miss) async throws(TransportError) -> TransportResponse {
        guard policy.mayCollapse(miss.facts, miss.request.cache) else { return try await carryOut(miss) }
        switch miss.decision {
        case .forward(let reason): return try await collapse(miss, reason, [:])
        case .revalidate(let conditions, let reason): return try await collapse(miss, reason, conditions)
        case .serve, .gatewayTimeout, .fail: return try await carryOut(miss)
        }
    }

    /// Carries out a decision that takes more than a stored response.
    func carryOut(
        _ miss: Miss, leading leader: CollapsedRequests.Leader? = nil
    ) async throws(TransportError) -> TransportResponse {
        let (request, facts, found) = (miss.request, miss.facts, miss.found)
        switch miss.decision {
        case .revalidate(let fields, let reason):
            return try await forward(request, facts, found.selected, fields, reason, leading: leader)
        case .forward(let reason):
            return try await forward(request, facts, nil, [:], reason, replacing: found.part, leading: leader)
        // `serve` without a selected response can't come from the policy.
        case .gatewayTimeout, .serve:
            return gatewayTimeout(at: miss.now)
        case .fail(let why):
            // A cancelled lookup is no miss: the caller would be told that nothing is stored.
            if let failure = found.failure, failure.code == .cancelled {
                throw TransportError(
                    .cancelled, message: "the task was cancelled during the cache lookup", cause: failure)
            }
            let reason = found.failure.map { "the cache could not be read: \($0.message)" } ?? why
            throw .nothingKept(facts.target, reason, cause: found.failure)
        }
    }

    /// Passes on a request that the cache neither answers nor stores.
    func pass(
        _ request: TransportRequest, _ reason: CacheStatus.Forward, why: String
    ) async throws(TransportError) -> TransportResponse {
        guard request.cache != .storedOnly else {
            throw .nothingKept(TargetURI.of(request.head), why, cause: nil)
        }
        let requestedAt = clock.now()
        if request.head.method == .get || request.head.method == .head,
            CacheControl(request.head.headerFields).onlyIfCached
        {
            return gatewayTimeout(at: requestedAt)
        }
        var answer = try await transport.send(request)
        let exchange = CacheExchange(
            mode: request.cache, isConditional: false, requestedAt: requestedAt, respondedAt: clock.now()
        )
        let status = CacheStatus(hit: false, forward: reason, forwardStatus: answer.head.status.code, stored: false)
        date(&answer, by: answer.head, exchange, status)
        return answer
    }

    /// Reports that a response could not be stored.
    func reportUnlessClosed(_ error: StoreError, _ target: String) {
        // The store was closed, or the account was purged: neither is a failure of the store.
        guard error.code != .closed else { return }
        report(error, "keep", target)
    }

    func report(_ error: StoreError, _ attempt: String, _ target: String) {
        // The caller cancelled, so no failure has happened.
        guard error.code != .cancelled else { return }
        let code: Incident.Code = error.code == .tooLarge ? .notKept : .storeFailed
        onIncident(Incident(code, message: "could not \(attempt) \(CacheEvent.shown(target)): \(error)", cause: error))
    }
}

extension TransportError {
    static func nothingKept(_ target: TargetURI?, _ why: String, cause: (any Error)?) -> TransportError {
        TransportError(
            .nothingKept,
            message:
                "the policy allows only a stored response for "
                + "\(target?.shown ?? "this request"), but \(why); read it with a "
                + "policy that asks the network",
            cause: cause
        )
    }
}
