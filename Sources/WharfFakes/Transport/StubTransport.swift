internal import Synchronization
public import WharfCore

/// A transport without a network: it answers what is expected, and remembers what it was asked.
///
/// ```swift
/// let network = StubTransport(expecting: [
///     .get("/users/1", .ok(#"{"id": 1, "name": "Ada"}"#)),
///     .post("/notes", .respond(.created)).json(#"{"text": "hello"}"#).times(1...),
/// ])
/// let client = APIClient(environment: try APIEnvironment("https://api.example.com"), transport: network)
/// …
/// try network.verify()
/// ```
///
/// The expectations are part of `WharfRecording`. A request that is not expected fails the running
/// test, and is answered with ``TransportError/Code/unexpectedRequest``, whose message shows line
/// by line how it differs from the nearest expectation. Where a test wants to see all requests and
/// decide by itself, there are answers in order, and a closure:
///
/// ```swift
/// let network = StubTransport([.ok("hello", fields: [.cacheControl: "max-age=30"]), .failure(.connectionFailed)])
/// let network = StubTransport { request in request.head.path == "/slow" ? .ok("late").held(by: gate) : .ok("") }
/// ```
public final class StubTransport: Transport {
    public typealias Handler = @Sendable (TransportRequest) async -> StubAnswer

    private let log = Mutex<[TransportRequest]>([])
    private let handler: Handler
    private let book: (any RequestBook)?
    private let clock: any WallClock
    private let timer: any Clock<Duration>
    private let leaving: Gate

    package init(
        _ clock: any WallClock, _ timer: any Clock<Duration>, _ book: (any RequestBook)?, handler: @escaping Handler
    ) {
        self.clock = clock
        self.timer = timer
        self.book = book
        self.handler = handler
        self.leaving = Gate()
        leaving.open()
    }

    /// Answers each request by `handler`.
    ///
    /// - Parameters:
    ///   - clock: stamps the answers.
    ///   - timer: measures the requests' timeouts.
    public convenience init(
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(), handler: @escaping Handler
    ) {
        self.init(clock, timer, nil, handler: handler)
    }

    /// Gives the answers in order. A request beyond them fails with
    /// ``TransportError/Code/invalidRequest``.
    public convenience init(
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(), _ answers: [StubAnswer]
    ) {
        let rest = Rest(answers)
        self.init(clock, timer, nil) { request in rest.next(for: request) }
    }

    deinit { book?.close() }

    /// All requests that came, in order.
    public var requests: [TransportRequest] { log.withLock { $0 } }

    /// Ends what is expected: all of it has come by now, and nothing else.
    ///
    /// - Throws: ``ExpectationFailure`` with what was expected and has not come, and with each
    ///   request that was not expected.
    public func verify() throws(ExpectationFailure) { try book?.verify() }

    /// Returns once `count` answers in all were left before their end: by cancellation, or by
    /// letting go of the body.
    public func departures(_ count: Int = 1) async { await leaving.arrivals(count) }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        log.withLock { $0.append(request) }
        let deadline = request.timeout.map { Deadline(after: $0, on: timer) }
        let answer = await handler(request)
        do throws(TransportError) {
            try await answer.gate?.pass(before: deadline)
        } catch {
            await leaving.pass()
            throw error
        }
        if let failure = answer.failure, answer.head == nil { throw failure }
        let head = answer.head ?? HTTPResponse(status: .ok)
        let chunks = request.head.method == .head ? [] : answer.chunks
        let length = answer.failure == nil ? Int64(chunks.reduce(0) { $0 + $1.count }) : nil
        let body = StubBody(chunks, answer.failure, answer.bodyGate, deadline) { [leaving] in
            Task { await leaving.pass() }
        }
        return TransportResponse(
            head: head, body: BodyStream(body, expectedLength: length),
            provenance: Provenance(source: .network, asOf: clock.now())
        )
    }

    private final class Rest: Sendable {
        private let answers: Mutex<[StubAnswer]>

        init(_ answers: [StubAnswer]) { self.answers = Mutex(answers.reversed()) }

        func next(for request: TransportRequest) -> StubAnswer {
            answers.withLock { $0.popLast() }
                ?? .failure(
                    TransportError(
                        .invalidRequest,
                        message: "the script is at its end, but \(request.head.method) \(request.head.path ?? "") came"
                    )
                )
        }
    }
}
