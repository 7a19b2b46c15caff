import LiveTransport
import Synchronization
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfStorage
import WharfTestServer

/// An outbox against a service that refuses and limits requests, over real sockets. The outbox has
/// a test clock.
struct RudeServiceTests {
    /// An outbox that sends to a server's `api` and to its `mail`.
    private final class Stage: Sendable {
        let server: TestServer
        let clock = TestClock()
        let outbox: OutboxEngine
        let store: MemoryWriteStore
        let inFlight = InFlight()

        init(_ server: TestServer, retry: OutboxRetry = OutboxRetry(base: .seconds(1))) throws {
            self.server = server
            store = MemoryWriteStore(uptime: clock.uptime)
            let client = APIClient(
                environment: try APIEnvironment(server.baseURL), transport: liveTransport(connections: 256),
                middleware: [inFlight])
            let wall = clock.wall
            var configuration = OutboxEngine.Configuration(clock: clock.wall, uptime: clock.uptime, timer: clock)
            configuration.retry = retry
            outbox = OutboxEngine(
                store: store, destinations: ["api", "mail"].map { HTTPDestination($0, client, clock: wall) },
                configuration: configuration)
        }

        func enqueue(_ count: Int, lanes: Int, path: String = "notes", to destination: String = "api") async throws {
            let entries = (0..<count).map { index in
                OutboxRequest(.post, "\(path)/\(index % lanes)", body: Array("\(index)".utf8))
                    .entry(outbox.newID(), lane: "\(path) \(index % lanes)", to: destination, at: clock.wall.now())
            }
            try await outbox.enqueue(entries, changing: [])
        }

        /// Advances the clock while no request is in flight, until the condition holds.
        func pass(until isOver: () async throws -> Bool) async rethrows {
            try await waitUntil {
                if try await isOver() { return true }
                if inFlight.count == 0, let next = clock.nextDeadline { clock.advance(to: next) }
                return false
            }
        }

        func untilDelivered() async throws {
            try await pass { try await store.counts(of: nil).pending.isEmpty }
            #expect(try await store.counts(of: nil).dead.isEmpty)
        }
    }

    private static func run(
        retry: OutboxRetry = OutboxRetry(base: .seconds(1)), _ body: (TestServer, Stage) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            let stage = try Stage(server, retry: retry)
            stage.outbox.start()
            do { try await body(server, stage) } catch {
                await stage.outbox.close()
                throw error
            }
            await stage.outbox.close()
        }
    }

    /// Before the fix, 10 of 100 entries were sent, and none to the other destination.
    @Test func a401HoldsItsDestinationUntilSignIn() async throws {
        try await Self.run { server, stage in
            let isSignedIn = Mutex(false)
            server.route(.post, "/notes/:id") { _ in .status(isSignedIn.withLock { $0 } ? .ok : .unauthorized) }
            server.route(.post, "/mail/:id") { _ in .status(.ok) }
            try await stage.enqueue(100, lanes: 10)
            try await stage.enqueue(20, lanes: 5, path: "mail", to: "mail")
            await stage.pass { server.count("/mail") == 20 && server.count("/notes") > 20 }
            // The requests in flight at the first refusal, and a probe after each pause.
            #expect(server.count("/notes") < 60)
            isSignedIn.withLock { $0 = true }
            try await stage.untilDelivered()
        }
    }

    /// See draft-ietf-httpapi-idempotency-key-header-07 §2.6. Before the fix, 6 of 6 entries were
    /// dead after one attempt.
    @Test func a409OfARequestInProgressIsTriedAgain() async throws {
        try await Self.run { server, stage in
            let seen = Mutex<[String: Int]>([:])
            server.route(.post, "/notes/:id") { request in
                let key = request.fields[HTTPField.Name("Idempotency-Key")!] ?? ""
                let count = seen.withLock { seen in
                    seen[key, default: 0] += 1
                    return seen[key, default: 0]
                }
                return .status(count <= 2 ? .conflict : .ok)
            }
            try await stage.enqueue(6, lanes: 3)
            try await stage.untilDelivered()
            #expect(seen.withLock { $0.values.sorted() } == Array(repeating: 3, count: 6))
        }
    }

    @Test func a409ThatStaysIsAConflict() async throws {
        try await Self.run { server, stage in
            server.route(.post, "/notes/:id") { _ in .status(.conflict) }
            try await stage.enqueue(1, lanes: 1)
            try await stage.pass { try await stage.store.counts(of: nil).dead.values.reduce(0, +) == 1 }
            let letter = try #require(try await stage.outbox.deadLetters().first)
            #expect(letter.failure.code == .conflict && letter.failure.status == 409)
            #expect(server.count("/notes") == OutboxRetry.default.attemptsInProgress)
        }
    }

    /// Before the fix, 300 lanes sent 300 requests within the pause.
    @Test(arguments: ["Retry-After: 30", "RateLimit: \"minute\";r=0;t=30", "X-RateLimit-Remaining: 0"])
    func aRateLimitHoldsAllLanes(field: String) async throws {
        try await Self.run { server, stage in
            let start = stage.clock.now
            let clock = stage.clock
            let early = Mutex(0)
            let parts = field.split(separator: ": ", maxSplits: 1)
            let name = try #require(HTTPField.Name(String(parts[0])))
            server.route(.post, "/notes/:id") { _ in
                guard start.duration(to: clock.now) < .seconds(30) else { return .status(.ok) }
                early.withLock { $0 += 1 }
                var answer = TestResponse.status(.tooManyRequests).setting(name, String(parts[1]))
                if parts[0] == "X-RateLimit-Remaining", let reset = HTTPField.Name("X-RateLimit-Reset") {
                    answer = answer.setting(reset, "30")
                }
                return answer
            }
            try await stage.enqueue(300, lanes: 300)
            try await stage.untilDelivered()
            // The requests that were in flight at the first answer.
            #expect(early.withLock { $0 } <= 32)
            #expect(server.count("/notes") == 300 + early.withLock { $0 })
        }
    }

    /// A stack whose client retries by itself, and the changes of its repositories.
    @Test(arguments: [HTTPResponse.Status.tooManyRequests, .forbidden])
    func aRateLimitHoldsTheChangesOfARepository(status: HTTPResponse.Status) async throws {
        struct Note: Codable, Equatable, Identifiable, Sendable {
            var id: Int
            var title: String
        }
        try await TestServer.run { server in
            let clock = TestClock()
            let early = Mutex(0)
            let store = MemoryWriteStore(uptime: clock.uptime)
            let wall = clock.wall
            let outbox = OutboxEngine(
                store: store, configuration: .init(clock: wall, uptime: clock.uptime, timer: clock))
            let inFlight = InFlight()
            var configuration = WharfStack.Configuration(baseURL: server.baseURL, cache: .memory())
            configuration.outbox = outbox
            configuration.transport = CountedTransport(base: liveTransport(), inFlight: inFlight)
            let stack = try await WharfStack.live(configuration)
            server.route(.post, "/notes") { request in
                guard clock.now < TestClock.Instant(offset: .seconds(30)) else {
                    return .json(String(decoding: request.body, as: UTF8.self))
                }
                early.withLock { $0 += 1 }
                return TestResponse.status(status)
                    .setting(HTTPField.Name("X-RateLimit-Remaining")!, "0")
                    .setting(HTTPField.Name("X-RateLimit-Reset")!, "30")
            }
            let notes = stack.repository(EntityKind<Note>("note", codec: .json), at: "notes")
            for id in 1...100 { try await notes.add(Note(id: id, title: "\(id)")) }
            outbox.start()
            try await waitUntil {
                if try await store.counts(of: nil).pending.isEmpty { return true }
                if try await store.counts(of: nil).dead.values.reduce(0, +) > 0 { return true }
                // The hold ends at 30 s, and a lane is then leased for 60 s. If the clock went on
                // past that, a slow machine would lose the lease and send its entry twice.
                if inFlight.count == 0, early.withLock({ $0 }) > 0, let next = clock.nextDeadline,
                    next < TestClock.Instant(offset: .seconds(85))
                {
                    clock.advance(to: next)
                }
                return false
            }
            #expect(try await store.counts(of: nil).dead.isEmpty)
            #expect(early.withLock { $0 } <= 32)
            let sent = server.requests.count { $0.method == .post }
            #expect(sent == 100 + early.withLock { $0 })
            await outbox.close()
            await stack.close()
        }
    }

    /// Before the fix, 0 of 200 entries in the healthy lanes were sent.
    @Test func lanesThatHangKeepNoOtherFromBeingSent() async throws {
        try await Self.run { server, stage in
            let gate = Gate()
            server.route(.post, "/hang/:id") { _ in TestResponse.status(.ok).held { await gate.pass() } }
            server.route(.post, "/notes/:id") { _ in .status(.ok) }
            try await stage.enqueue(60, lanes: 60, path: "hang")
            try await stage.enqueue(200, lanes: 40)
            let clock = stage.clock
            try await waitUntil {
                if try await stage.outbox.store.counts(of: nil).pending.values.reduce(0, +) == 60 { return true }
                // Only the hanging requests are in flight.
                guard stage.inFlight.count <= server.count("/hang"), let next = clock.nextDeadline else { return false }
                clock.advance(to: min(next, clock.now.advanced(by: .milliseconds(100))))
                return false
            }
            #expect(clock.now <= TestClock.Instant(offset: .seconds(14)))
            gate.open()
            try await stage.untilDelivered()
        }
    }

    @Test func failingServiceGetsProbesAndThenEveryEntry() async throws {
        try await Self.run { server, stage in
            let isUp = Mutex(false)
            server.route(.post, "/notes/:id") { _ in .status(isUp.withLock { $0 } ? .ok : .internalServerError) }
            try await stage.enqueue(300, lanes: 300)
            let end = TestClock.Instant(offset: .seconds(600))
            await stage.pass { stage.clock.now >= end }
            // In ten minutes: the requests in flight at first, and then probes. Without the circuit
            // breaker the lanes would have sent 2,000.
            #expect(server.count("/notes") < 150)
            isUp.withLock { $0 = true }
            try await stage.untilDelivered()
        }
    }
}

/// Counts the requests that have no answer yet.
private final class InFlight: Middleware {
    private let requests = Mutex(0)

    var count: Int { requests.withLock { $0 } }

    func send(_ request: TransportRequest, next: any Transport) async throws(TransportError) -> TransportResponse {
        requests.withLock { $0 += 1 }
        defer { requests.withLock { $0 -= 1 } }
        return try await next.send(request)
    }
}

private struct CountedTransport: Transport {
    let base: any Transport
    let inFlight: InFlight

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await inFlight.send(request, next: base)
    }
}

extension TestServer {
    fileprivate func count(_ path: String) -> Int { requests.count { $0.path.hasPrefix(path) } }
}
