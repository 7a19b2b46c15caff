internal import Synchronization
public import WharfCore

/// A transport without a network, with recorded requests and scripted answers.
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
/// The expectations are part of `WharfRecording`. An unexpected request fails the running test and
/// is answered with ``TransportError/Code/unexpectedRequest``. The message shows line by line how
/// it differs from the nearest expectation. A test that checks requests on its own can use a list
/// of answers or a closure:
///
/// ```swift
/// let network = StubTransport([.ok("hello", fields: [.cacheControl: "max-age=30"]), .failure(.connectionFailed)])
/// let network = StubTransport { request in request.head.path == "/slow" ? .ok("late").held(by: gate) : .ok("") }
/// ```
public final class StubTransport: Transport {
    /// Returns the answer to a request.
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
        // Open from the start: it only counts arrivals.
        leaving.open()
    }

    /// Creates a transport that answers each request by `handler`.
    ///
    /// - Parameters:
    ///   - clock: gives the times of the answers.
    ///   - timer: measures the timeouts of the requests.
    public convenience init(
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(), handler: @escaping Handler
    ) {
        self.init(clock, timer, nil, handler: handler)
    }

    /// Creates a transport that gives the answers in order.
    ///
    /// A request after the last answer fails with ``TransportError/Code/invalidRequest``.
    public convenience init(
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(), _ answers: [StubAnswer]
    ) {
        let rest = RemainingBody(answers)
        self.init(clock, timer, nil) { request in rest.next(for: request) }
    }

    deinit { book?.close() }

    /// All requests in the order of their arrival.
    public var requests: [TransportRequest] { log.withLock { $0 } }

    /// Ends the expectations, and checks that exactly the expected requests have come.
    ///
    /// - Throws: ``ExpectationFailure`` with the missing and the unexpected requests.
    public func verify() throws(ExpectationFailure) { try book?.verify() }

    /// Waits until `count` answers in all were left before their end.
    ///
    /// An answer is left if its task is cancelled or its body is released.
    public func departures(_ count: Int = 1) async { await leaving.arrivals(count) }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        log.withLock { $0.append(request) }
        // The time of the handler counts as well.
        let deadline = request.timeout.map { Deadline(after: $0, on: timer) }
        let answer = await handler(request)
        do throws(TransportError) {
            try await answer.gate?.pass(before: deadline)
        } catch {
            await leaving.pass()
            throw error
        }
        for head in answer.interim { await request.onInterim?(head) }
        if let failure = answer.failure, answer.head == nil { throw failure }
        let head = answer.head ?? HTTPResponse(status: .ok)
        let isHead = request.head.method == .head
        let chunks = isHead ? [] : answer.chunks
        // A body that fails on the way has no known length, as with chunked coding.
        let length = answer.failure == nil ? Int64(chunks.reduce(0) { $0 + $1.count }) : nil
        let trailers = isHead ? HTTPFields() : answer.trailers
        let body = StubBody(chunks, trailers, answer.failure, answer.bodyGate, deadline) { [leaving] in
            // The body may be released in any thread and under any lock, so the count is made
            // elsewhere.
            Task { await leaving.pass() }
        }
        return TransportResponse(
            head: head, body: BodyStream(body, expectedLength: length),
            provenance: Provenance(source: .network, asOf: clock.now())
        )
    }

    private final class RemainingBody: Sendable {
        private let answers: Mutex<[StubAnswer]>

        init(_ answers: [StubAnswer]) { self.answers = Mutex(answers.reversed()) }

        func next(for request: TransportRequest) -> StubAnswer {
            answers.withLock { $0.popLast() }
                ?? .failure(
                    TransportError(
                        .invalidRequest,
                        message: "the script has no response for \(request.head.method) \(request.head.path ?? ""), "
                            + "because it has ended; add one"
                    )
                )
        }
    }
}
