import Synchronization
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

/// A cache over a scripted origin, with a clock that stands still at ``noon``.
struct Rig: Sendable {
    let clock: TestClock
    let origin: StubTransport
    let cache: CachingTransport
    let store: any CacheStore
    let incidents = IncidentLog()
    let events = EventLog()

    init(
        for configuration: CacheConfiguration = .privateClient, store: (any CacheStore)? = nil,
        _ handler: @escaping StubTransport.Handler
    ) {
        let clock = TestClock(start: noon)
        let store = store ?? MemoryCacheStore()
        self.clock = clock
        self.store = store
        origin = StubTransport(clock: clock.wall, timer: clock, handler: handler)
        var configuration = configuration
        configuration.onEvent = events.handler
        cache = CachingTransport(
            origin, store: store, configuration: configuration, clock: clock.wall, timer: clock,
            onIncident: incidents.handler)
    }

    init(
        for configuration: CacheConfiguration = .privateClient, store: (any CacheStore)? = nil,
        _ answers: StubAnswer...
    ) {
        let rest = Mutex(answers[...])
        let script = Script { rest.withLock { $0.popFirst() } }
        self.init(for: configuration, store: store) { _ in script.next() ?? .failure(.invalidRequest) }
    }

    private struct Script: Sendable {
        let next: @Sendable () -> StubAnswer?
    }

    /// Sends a request, and reads the body to its end.
    @discardableResult
    func read(_ request: TransportRequest = get()) async throws -> (response: TransportResponse, text: String) {
        let response = try await cache.send(request)
        return (response, String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    func text(_ request: TransportRequest = get()) async throws -> String { try await read(request).text }

    /// The stored body, read without the network, or nil if there is none.
    func kept(_ request: TransportRequest = get()) async throws -> String? {
        var request = request
        request.cache = .storedOnly
        do {
            return try await text(request)
        } catch let error as TransportError where error.code == .nothingKept {
            return nil
        }
    }
}

extension StubAnswer {
    /// An answer whose body breaks off after these pieces.
    static func broken(_ chunks: [[UInt8]], fields: HTTPFields = [:]) -> StubAnswer {
        StubAnswer(
            head: HTTPResponse(status: .ok, headerFields: fields), chunks: chunks,
            failure: TransportError(.connectionLost, message: "scripted")
        )
    }
}

extension TransportError {
    /// The error of a decoder about invalid bytes.
    static let invalid = TransportError(.invalidResponse, message: "scripted")
}

/// The code of the transport error that `work` throws, or nil if it throws none.
func code(_ work: () async throws -> Void) async -> TransportError.Code? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? TransportError)?.code
    }
}
