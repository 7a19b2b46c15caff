internal import Synchronization
public import WharfCore

/// A transport without a network: it answers from a script and remembers what it was asked.
///
/// ```swift
/// let transport = ScriptedTransport([.ok("hello", fields: [.cacheControl: "max-age=30"]), .failure(.connectionFailed)])
/// ```
public final class ScriptedTransport: Transport {
    public typealias Handler = @Sendable (TransportRequest) async -> ScriptedAnswer

    private let log = Mutex<[TransportRequest]>([])
    private let handler: Handler
    private let clock: any WallClock
    private let timer: any Clock<Duration>
    private let leaving: Gate

    /// Answers each request by `handler`.
    ///
    /// - Parameters:
    ///   - clock: stamps the answers.
    ///   - timer: measures the requests' timeouts.
    public init(
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(), handler: @escaping Handler
    ) {
        self.clock = clock
        self.timer = timer
        self.handler = handler
        self.leaving = Gate()
        leaving.open()
    }

    /// Gives the answers in order. A request beyond them fails with ``TransportError/Code/invalidRequest``.
    public convenience init(
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(), _ answers: [ScriptedAnswer]
    ) {
        let rest = Rest(answers)
        self.init(clock: clock, timer: timer) { request in rest.next(for: request) }
    }

    /// All requests that came, in order.
    public var requests: [TransportRequest] { log.withLock { $0 } }

    /// Returns once `count` answers in all were left before their end: by cancellation, or by letting go of the body.
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
        let body = ScriptedBody(chunks, answer.failure, answer.bodyGate, deadline) { [leaving] in
            Task { await leaving.pass() }
        }
        return TransportResponse(
            head: head, body: BodyStream(body, expectedLength: length),
            provenance: Provenance(source: .network, asOf: clock.now())
        )
    }

    private final class Rest: Sendable {
        private let answers: Mutex<[ScriptedAnswer]>

        init(_ answers: [ScriptedAnswer]) { self.answers = Mutex(answers.reversed()) }

        func next(for request: TransportRequest) -> ScriptedAnswer {
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

/// One answer of a ``ScriptedTransport``.
public struct ScriptedAnswer: Sendable {
    /// Nil when the answer is a failure before any head.
    public var head: HTTPResponse?
    public var chunks: [[UInt8]]
    /// Thrown in place of the head, or where there is one after the chunks.
    public var failure: TransportError?
    /// Held here before the head.
    public var gate: Gate?
    /// Held here before each chunk and before the end.
    public var bodyGate: Gate?

    public init(
        head: HTTPResponse?, chunks: [[UInt8]] = [], failure: TransportError? = nil, gate: Gate? = nil,
        bodyGate: Gate? = nil
    ) {
        self.head = head
        self.chunks = chunks
        self.failure = failure
        self.gate = gate
        self.bodyGate = bodyGate
    }

    public static func respond(
        _ status: HTTPResponse.Status = .ok, fields: HTTPFields = [:], _ body: String = ""
    ) -> ScriptedAnswer {
        ScriptedAnswer(
            head: HTTPResponse(status: status, headerFields: fields), chunks: body.isEmpty ? [] : [Array(body.utf8)]
        )
    }

    public static func ok(_ body: String, fields: HTTPFields = [:]) -> ScriptedAnswer {
        respond(.ok, fields: fields, body)
    }

    public static func failure(_ error: TransportError) -> ScriptedAnswer {
        ScriptedAnswer(head: nil, failure: error)
    }

    public static func failure(_ code: TransportError.Code) -> ScriptedAnswer {
        failure(TransportError(code, message: "scripted \(code)"))
    }

    /// The same answer, with its head held back until the gate opens.
    public func held(by gate: Gate) -> ScriptedAnswer {
        var answer = self
        answer.gate = gate
        return answer
    }
}
