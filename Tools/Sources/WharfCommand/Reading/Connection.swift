import Wharf
import WharfCache
import WharfContentCoding
import WharfSQLite
import WharfStorage

/// Opens the connection of a read.
typealias Connect =
    @Sendable (GetPlan, any WallClock, @escaping IncidentHandler) async throws(ReadFailure) -> Connection

/// One read by a policy: an answer of any status, or the failure.
typealias Exchange = @Sendable (TransportRequest, ReadPolicy) async throws(ReadFailure) -> TransportResponse

/// The network and the cache of one run.
struct Connection: Sendable {
    let exchange: Exchange
    let close: @Sendable () async -> Void
}

extension Connection {
    /// Connects to the real network, with the cache file that the plan names.
    ///
    /// It does not use `WharfStack.live`. A command line shows an error answer whole, with its
    /// source and age, and does not retry.
    static let live: Connect = { (plan, clock, report) throws(ReadFailure) in
        // First, before anything is opened, so that an error leaves nothing to close.
        let environment = try APIEnvironment(plan.target.origin)
        let store = await openStore(plan.cache, report)
        let network = Network(clock: clock)
        // Decoded above the cache, which so stores the bytes of the origin: they are smaller, and
        // `Content-Encoding` and the entity tag describe them.
        let cached = ContentDecodingTransport(
            CachingTransport(network, store: store, clock: clock, onIncident: report))
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

    /// Opens the cache file, or a memory cache if that fails, so that the read still works.
    private static func openStore(
        _ location: CacheLocation, _ report: @escaping IncidentHandler
    ) async -> any CacheStore {
        guard let path = location.path else { return MemoryCacheStore() }
        do throws(StoreError) {
            return try await SQLiteCacheStore.open(at: path, onIncident: report)
        } catch {
            report(
                Incident(
                    .storeUnavailable, message: "\(error.message); this answer is not kept", cause: error))
            return MemoryCacheStore()
        }
    }
}

/// Passes answers other than 2xx around the client's status check, with body and provenance.
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

    /// Returns the answer that a failure carries.
    static func answer(in failure: ReadFailure) -> TransportResponse? {
        ((failure.cause as? TransportError)?.cause as? Carrier)?.answer
    }
}
