public import WharfCore
internal import WharfPrimitives

/// A private or shared HTTP cache (RFC 9111) around any transport.
///
/// It follows ``CacheMode`` and the origin's directives. A stored response that replaces a failure
/// has the failure in its provenance. All decisions are made by ``CachePolicy``, a value; each
/// stage of the work has a file of its own.
///
/// - A failure of the store never fails a read: it is reported, and the read goes on without the
///   store.
/// - The body streams to the reader while it is stored. It is committed only if it ended at the
///   announced length.
/// - If a stored response could replace a failure, the body is buffered before the head is
///   returned, up to ``wholeBodyLimit``. So a body that breaks off falls back to the stored
///   response. A longer body streams, and its failure reaches the reader.
/// - Answers to requests with `Authorization` or `Cookie` are stored only for an account. A shared
///   cache also stores the former as RFC 9111 §3.5 permits.
public final class CachingTransport: Transport {
    /// The longest body, in bytes, that is buffered before its head is returned.
    public static let wholeBodyLimit = 1 << 20

    let transport: any Transport
    let store: any CacheStore
    let policy: CachePolicy
    let clock: any WallClock
    let memo: FactsMemo
    let fence = InvalidationFence()
    private let onIncident: IncidentHandler

    /// Creates a cache around a transport.
    ///
    /// - Parameters:
    ///   - store: the responses.
    ///   - clock: dates requests and responses.
    ///   - onIncident: gets the failures of the store.
    public init(
        _ transport: any Transport, store: any CacheStore, configuration: CacheConfiguration = .privateClient,
        clock: any WallClock = .system, onIncident: @escaping IncidentHandler
    ) {
        self.transport = transport
        self.store = store
        self.policy = CachePolicy(configuration)
        self.clock = clock
        self.memo = FactsMemo(policy)
        self.onIncident = onIncident
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        switch RequestScope.of(request, policy.configuration) {
        case .cacheable(let facts):
            // A bypass does not use stored responses.
            let found = request.cache == .bypass ? Lookup() : await lookup(facts)
            let now = clock.now()
            let decision = policy.decide(
                facts, request.cache, found.selected?.facts, hasVariants: found.hasVariants, at: now
            )
            if case .serve(let verdict) = decision, let selected = found.selected {
                return serve(selected, facts, isFresh: verdict == .fresh, at: now)
            }
            return try await carryOut(decision, request, facts, found, at: now)
        case .unsafe(let target): return try await sendUnsafe(request, target)
        case .passing(let reason, let why): return try await pass(request, reason, why: why)
        case .foreign: return try await transport.send(request)
        }
    }

    /// Carries out a decision that takes more than a stored response.
    private func carryOut(
        _ decision: CacheDecision, _ request: TransportRequest, _ facts: RequestFacts, _ found: Lookup, at now: WallTime
    ) async throws(TransportError) -> TransportResponse {
        switch decision {
        case .revalidate(let fields, let reason):
            return try await forward(request, facts, found.selected, fields, reason)
        case .forward(let reason):
            return try await forward(request, facts, nil, [:], reason)
        case .gatewayTimeout, .serve:
            return gatewayTimeout(at: now)
        case .fail(let why):
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

    /// Returns a target for messages, without its query, which may hold a key.
    static func shown(_ target: String) -> Substring { target.prefix { $0 != "?" } }

    func report(_ error: StoreError, _ attempt: String, _ target: String) {
        // The caller cancelled, so no failure has happened.
        guard error.code != .cancelled else { return }
        let code: Incident.Code = error.code == .tooLarge ? .notKept : .storeFailed
        onIncident(Incident(code, message: "could not \(attempt) \(Self.shown(target)): \(error)", cause: error))
    }
}

extension TransportError {
    static func nothingKept(_ target: TargetURI?, _ why: String, cause: (any Error)?) -> TransportError {
        TransportError(
            .nothingKept,
            message:
                "the policy allows only a stored response for "
                + "\(target.map { CachingTransport.shown($0.text) } ?? "this request"), but \(why); read it with a "
                + "policy that asks the network",
            cause: cause
        )
    }
}
