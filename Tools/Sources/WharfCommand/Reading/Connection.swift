import Wharf

/// Opens what a read goes through.
typealias Connect =
    @Sendable (GetPlan, any WallClock, @escaping IncidentHandler) async throws(ReadFailure) -> Connection

/// One read by a policy: an answer of any status, or why there is none.
typealias Exchange = @Sendable (TransportRequest, ReadPolicy) async throws(ReadFailure) -> TransportResponse

/// The way to the network and the cache, for one run.
struct Connection: Sendable {
    let exchange: Exchange
    let close: @Sendable () async -> Void
}

extension Connection {
    /// The real network over the cache file that the plan names.
    ///
    /// It is put together here and not by `WharfStack.live`, because a command line shows an error
    /// answer whole, with its source and its age, and tries once.
    static let live: Connect = { (plan, clock, report) throws(ReadFailure) in
        // Before anything is opened, so that an error leaves nothing to close.
        let environment = try APIEnvironment(plan.target.origin)
        let store = await openStore(plan.cache, report)
        let network = Network(clock: clock)
        let cached = CachingTransport(network, store: store, clock: clock, onIncident: report)
        let client = APIClient(
            environment: environment, transport: RedirectingTransport(cached),
            middleware: [ErrorAnswers()], account: plan.request.account, timeout: plan.request.timeout)
        return Connection(
            exchange: { (request, policy) throws(ReadFailure) in
                let sent = Request(
                    request.head.method, .url(plan.target.url), fields: request.head.headerFields, body: request.body,
                    decoding: .bytes)
                do throws(ReadFailure) {
                    return try await client.response(to: sent, policy: policy)
                } catch {
                    guard let answer = ErrorAnswers.answer(in: error) else { throw error }
                    return answer
                }
            },
            close: {
                await network.close()
                do throws(StoreError) {
                    if let store = store as? SQLiteCacheStore { try await store.close() }
                } catch {
                    report(Incident(.storeFailed, message: error.message, cause: error))
                }
            })
    }

    /// The cache file, or memory where it can't be opened: that keeps no answer from coming.
    private static func openStore(
        _ location: CacheLocation, _ report: @escaping IncidentHandler
    ) async -> any CacheStore {
        guard let path = location.path else { return MemoryCacheStore() }
        do throws(StoreError) {
            return try await SQLiteCacheStore.open(at: path, onIncident: report)
        } catch {
            report(
                Incident(
                    .storeUnavailable, message: "\(error.message); nothing is kept of this answer", cause: error))
            return MemoryCacheStore()
        }
    }
}

/// Brings answers other than 2xx past the client's status check, body and provenance included.
struct ErrorAnswers: Middleware {
    private struct Carrier: Error {
        let answer: TransportResponse
    }

    func send(
        _ request: TransportRequest, next: any Transport
    ) async throws(TransportError) -> TransportResponse {
        let answer = try await next.send(request)
        guard answer.head.status.kind != .successful else { return answer }
        throw TransportError(
            TransportError.Code("errorAnswer"), message: "the server answered \(Plain.status(answer.head.status))",
            cause: Carrier(answer: answer), response: answer.head)
    }

    /// The answer that a failure carries.
    static func answer(in failure: ReadFailure) -> TransportResponse? {
        ((failure.cause as? TransportError)?.cause as? Carrier)?.answer
    }
}
