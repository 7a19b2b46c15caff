internal import Synchronization
internal import WharfCore

/// The counts and the live requests of a gateway, from its creation.
final class GatewayActivity: Sendable {
    /// The upper bounds of the durations that are counted, without the infinite one.
    static let bounds: [Duration] = [
        .milliseconds(1), .milliseconds(5), .milliseconds(10), .milliseconds(50), .milliseconds(100),
        .milliseconds(500), .seconds(1), .seconds(5), .seconds(10), .seconds(60),
    ]

    /// The numbers at one moment.
    struct Counts: Sendable {
        private static let classes = 6

        private var answers = [Int](repeating: 0, count: AnswerSource.allCases.count * Self.classes)
        /// The number of ended requests up to each of ``bounds``, and of longer ones. A request is
        /// in one of them.
        var durations = [Int](repeating: 0, count: GatewayActivity.bounds.count + 1)
        /// The sum of the durations of ended requests.
        var time = Duration.zero
        /// The requests that ended without a complete answer.
        var broken = 0

        /// - Parameter statusClass: the first digit of the statuses, from 1 to 5.
        subscript(source: AnswerSource, statusClass: Int) -> Int { answers[Self.index(source, statusClass)] }

        /// Returns the number of answers of a source.
        func total(_ source: AnswerSource) -> Int { (0..<Self.classes).reduce(0) { $0 + self[source, $1] } }

        mutating func count(_ source: AnswerSource, _ status: HTTPResponse.Status) {
            // A status above 599 is invalid (RFC 9110 §15), and is treated as a failure.
            answers[Self.index(source, min(status.code / 100, Self.classes - 1))] += 1
        }

        mutating func end(after duration: Duration, isBroken: Bool) {
            durations[GatewayActivity.bounds.firstIndex { duration <= $0 } ?? GatewayActivity.bounds.count] += 1
            time += duration
            if isBroken { broken += 1 }
        }

        private static func index(_ source: AnswerSource, _ statusClass: Int) -> Int {
            (AnswerSource.allCases.firstIndex(of: source) ?? 0) * classes + statusClass
        }
    }

    private struct State: Sendable {
        var counts = Counts()
        var live: [ObjectIdentifier: LiveRequest] = [:]
    }

    /// The time at which the gateway was made.
    let startedAt: WallTime
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())
    private let bytes = Atomic<Int64>(0)

    init(clock: any Clock<Duration>, startedAt: WallTime) {
        self.startedAt = startedAt
        elapsed = Self.stopwatch(clock)
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    // MARK: Requests

    func begin(_ head: HTTPRequest) -> LiveRequest {
        let request = LiveRequest(head, at: elapsed())
        state.withLock { $0.live[ObjectIdentifier(request)] = request }
        return request
    }

    /// Counts an answer that begins.
    func count(_ source: AnswerSource, _ status: HTTPResponse.Status) {
        state.withLock { $0.counts.count(source, status) }
    }

    /// Counts bytes of a body.
    func sent(_ count: Int, of request: LiveRequest) {
        bytes.wrappingAdd(Int64(count), ordering: .relaxed)
        request.add(count)
    }

    /// Ends a request. A second call does nothing: a failure may follow the end of the answer.
    func end(_ request: LiveRequest) {
        let now = elapsed()
        state.withLock { state in
            guard state.live.removeValue(forKey: ObjectIdentifier(request)) != nil else { return }
            state.counts.end(after: now - request.start, isBroken: request.isBroken)
        }
    }

    // MARK: Reports

    var counts: Counts { state.withLock(\.counts) }
    /// The bytes of bodies that were sent, without the texts of refusals.
    var sentBytes: Int64 { bytes.load(ordering: .relaxed) }
    var liveCount: Int { state.withLock { $0.live.count } }
    /// The time since the gateway was made.
    var uptime: Duration { elapsed() }

    /// Returns the longest live requests, and their ages.
    func live(limit: Int) -> [(request: LiveRequest, age: Duration)] {
        let now = elapsed()
        return state.withLock { Array($0.live.values) }.sorted { $0.start < $1.start }.prefix(limit)
            .map { ($0, now - $0.start) }
    }
}

/// A request that is not completely answered.
final class LiveRequest: Sendable {
    private struct State: Sendable {
        var answer: (source: AnswerSource, status: HTTPResponse.Status)?
        var isBroken = false
    }

    let method: String
    /// The path without the query, which may hold secrets.
    let path: String
    /// The time from the gateway's creation to the request's begin.
    let start: Duration
    private let bytes = Atomic<Int64>(0)
    private let state = Mutex(State())

    init(_ head: HTTPRequest, at start: Duration) {
        method = head.method.rawValue
        path = (head.path ?? "/").withoutQuery
        self.start = start
    }

    /// The bytes of the answer's body that were sent.
    var sentBytes: Int64 { bytes.load(ordering: .relaxed) }
    /// The answer's source and status; nil before its head.
    var answer: (source: AnswerSource, status: HTTPResponse.Status)? { state.withLock(\.answer) }
    /// Whether the answer broke off, or never began.
    var isBroken: Bool { state.withLock { $0.isBroken || $0.answer == nil } }

    func add(_ count: Int) { bytes.wrappingAdd(Int64(count), ordering: .relaxed) }

    func answer(_ source: AnswerSource, _ status: HTTPResponse.Status) {
        state.withLock { $0.answer = (source, status) }
    }

    func breakOff() { state.withLock { $0.isBroken = true } }
}
