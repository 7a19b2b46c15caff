import Synchronization
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

/// A cache over an origin that holds its first answer until the test opens a gate.
struct HeldRig: Sendable {
    struct Answer: Sendable {
        let text: String
        let status: String
    }

    let first: Gate
    let isHeld: Hold
    let origin: StubTransport
    let cache: CachingTransport
    let clock: TestClock
    let events = EventLog()

    /// Whether the next request gets the held answer.
    final class Hold: Sendable {
        private let value = Mutex(true)

        func set(_ isHeld: Bool) { value.withLock { $0 = isHeld } }

        /// Returns the value, and sets it to false.
        func take() -> Bool {
            value.withLock { value in
                defer { value = false }
                return value
            }
        }
    }

    /// - Parameter rest: the answers to all other requests in order; the last one is repeated.
    init(
        for configuration: CacheConfiguration = .privateClient, store: (any CacheStore)? = nil, _ held: StubAnswer,
        _ rest: StubAnswer...
    ) {
        let (clock, gate, isHeld) = (TestClock(start: noon), Gate(), Hold())
        let others = Mutex(rest[...])
        let next: @Sendable () -> StubAnswer = {
            others.withLock { $0.count > 1 ? $0.popFirst() : $0.first } ?? .failure(.unexpectedRequest)
        }
        (self.first, self.isHeld, self.clock) = (gate, isHeld, clock)
        origin = StubTransport(clock: clock.wall, timer: clock) { request in
            if request.head.method == .post { return .respond(.noContent) }
            return isHeld.take() ? held.held(by: gate) : next()
        }
        var configuration = configuration
        configuration.onEvent = events.handler
        cache = CachingTransport(
            origin, store: store ?? MemoryCacheStore(), configuration: configuration, clock: clock.wall, timer: clock,
            onIncident: { _ in })
    }

    func read(_ request: TransportRequest = get()) async throws -> Answer {
        let response = try await cache.send(request)
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        return Answer(text: text, status: response.provenance.cacheStatus?.fieldValue() ?? "")
    }

    /// Begins a read, and returns when the origin holds its answer.
    func lead(_ request: TransportRequest = get()) async -> Task<Answer, any Error> {
        let task = Task { try await read(request) }
        await first.arrivals()
        return task
    }

    /// Begins reads, and returns when they wait for another request.
    ///
    /// - Parameter others: the number of requests that wait already.
    func follow(
        _ count: Int, _ request: TransportRequest = get(), after others: Int = 0
    ) async -> [Task<Answer, any Error>] {
        let tasks = (0..<count).map { _ in Task { try await read(request) } }
        await cache.untilWaiting(others + count)
        return tasks
    }
}
