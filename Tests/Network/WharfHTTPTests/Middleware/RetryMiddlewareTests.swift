import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfHTTP
import WharfRandom

struct RetryMiddlewareTests {
    private let clock = TestClock()
    private let policy = RetryPolicy(attempts: 3, base: .seconds(1), cap: .seconds(10))

    private func transport(_ base: any Transport) -> any Transport {
        base.wrapped(in: [
            RetryMiddleware(policy: policy, clock: clock, wallClock: clock.wall, random: SeededGenerator(seed: 7))
        ])
    }

    private func request(_ method: HTTPRequest.Method = .get, timeout: Duration? = nil) -> TransportRequest {
        TransportRequest(
            HTTPRequest(method: method, scheme: "https", authority: "h", path: "/"), timeout: timeout
        )
    }

    /// Sends the request, and advances the clock past each pause.
    private func status(
        _ transport: any Transport, _ request: TransportRequest, pauses: Int = 0, each: Duration = .seconds(60)
    ) async throws -> Int {
        let task = Task { try await transport.send(request).head.status.code }
        for _ in 0..<pauses {
            await clock.untilSleeping()
            clock.advance(by: each)
        }
        return try await task.value
    }

    @Test(arguments: [408, 425, 429, 502, 503, 504])
    func transientStatusIsRetried(_ code: Int) async throws {
        let script = StubTransport([.respond(.init(code: code)), .respond(.init(code: code)), .ok("")])
        #expect(try await status(transport(script), request(), pauses: 2) == 200)
        #expect(script.requests.count == 3)
    }

    @Test(arguments: [200, 304, 400, 401, 404, 409, 500, 501, 505])
    func otherStatusIsReturnedWithoutARetry(_ code: Int) async throws {
        let script = StubTransport([.respond(.init(code: code))])
        #expect(try await status(transport(script), request()) == code)
        #expect(script.requests.count == 1)
    }

    @Test func theLastAnswerIsGivenWhenAllTriesFail() async throws {
        let script = StubTransport { _ in .respond(.serviceUnavailable) }
        #expect(try await status(transport(script), request(), pauses: 2) == 503)
        #expect(script.requests.count == 3)
    }

    @Test(arguments: [TransportError.Code.connectionFailed, .hostNotFound, .offline, .connectionLost, .timedOut])
    func transientFailureIsRetried(_ code: TransportError.Code) async throws {
        let script = StubTransport([.failure(code), .ok("")])
        #expect(try await status(transport(script), request(), pauses: 1) == 200)
    }

    @Test(arguments: [TransportError.Code.tlsFailed, .cancelled, .invalidRequest, .nothingKept, .unsafeRedirect])
    func permanentFailureIsThrownWithoutARetry(_ code: TransportError.Code) async throws {
        let script = StubTransport([.failure(code), .ok("")])
        await #expect(throws: TransportError.self) { try await status(transport(script), request()) }
        #expect(script.requests.count == 1)
    }

    @Test(arguments: [HTTPRequest.Method.post, .patch])
    func nonIdempotentRequestIsSentOnce(_ method: HTTPRequest.Method) async throws {
        let script = StubTransport([.respond(.serviceUnavailable), .failure(.connectionLost)])
        #expect(try await status(transport(script), request(method)) == 503)
        await #expect(throws: TransportError.self) { try await status(transport(script), request(method)) }
        #expect(script.requests.count == 2)
    }

    @Test func postMarkedIdempotentIsRetried() async throws {
        let script = StubTransport([.respond(.serviceUnavailable), .ok("")])
        var request = request(.post)
        request.isIdempotent = true
        #expect(try await status(transport(script), request, pauses: 1) == 200)
    }

    @Test func keptAnswerIsNotRetried() async throws {
        let script = StubTransport { _ in .respond(.serviceUnavailable) }
        let failed = Marked(script) { _, provenance in
            provenance.failure = TransportError(.serverFailed, message: "503")
        }
        let stored = Marked(script) { _, provenance in provenance.source = .httpCache }
        #expect(try await status(transport(failed), request()) == 503)
        #expect(try await status(transport(stored), request()) == 503)
        #expect(script.requests.count == 2)
    }

    @Test(arguments: ["5", "Sun, 09 Sep 2001 01:46:45 GMT"])
    func retryAfterIsTheLeastPause(_ value: String) async throws {
        let script = StubTransport([.respond(.serviceUnavailable, fields: [.retryAfter: value]), .ok("")])
        let task = Task { try await transport(script).send(request()).head.status.code }
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(4_999))
        #expect(script.requests.count == 1)
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(1_001))
        #expect(try await task.value == 200)
    }

    @Test func aRetryAfterBeyondThePolicyEndsTheTries() async throws {
        let script = StubTransport([.respond(.tooManyRequests, fields: [.retryAfter: "3600"])])
        #expect(try await status(transport(script), request()) == 429)
    }

    @Test func triesAndPausesShareTheTimeout() async throws {
        let script = StubTransport { _ in .respond(.serviceUnavailable) }
        let request = request(timeout: .seconds(5))
        // The pauses are below one and below two seconds. The clock moves by two seconds twice, so
        // one second is left.
        #expect(try await status(transport(script), request, pauses: 2, each: .seconds(2)) == 503)
        #expect(script.requests.map(\.timeout) == [.seconds(5), .seconds(3), .seconds(1)])
    }

    @Test func aPauseThatOutlastsTheTimeoutIsNotBegun() async throws {
        let script = StubTransport([.respond(.serviceUnavailable, fields: [.retryAfter: "5"])])
        #expect(try await status(transport(script), request(timeout: .seconds(5))) == 503)
    }

    @Test func cancellationEndsThePauseAtOnce() async throws {
        let script = StubTransport { _ in .failure(.offline) }
        let task = Task { try await transport(script).send(request()) }
        await clock.untilSleeping()
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(script.requests.count == 1)
    }

    @Test func theBodyOfAnAnswerThatIsNotTakenIsLetGoBeforeThePause() async throws {
        let body = EndlessBody(chunk: [1])
        let base = BodyTransport(status: .serviceUnavailable) { BodyStream(body) }
        let task = Task { try await transport(base).send(request()) }
        await clock.untilSleeping()
        #expect(body.isLetGo)
        task.cancel()
        await #expect(throws: TransportError.self) { try await task.value }
    }

    @Test func backoffIsDrawnFromTheSeededGenerator() async throws {
        let twin = Mutex(SeededGenerator(seed: 7))
        let script = StubTransport { _ in .failure(.offline) }
        let task = Task { try await transport(script).send(request()) }
        for failures in 1...2 {
            await clock.untilSleeping()
            let pause = try #require(
                twin.withLock { policy.delay(afterFailures: failures, using: &$0) }
            )
            clock.advance(by: pause - .nanoseconds(1))
            #expect(script.requests.count == failures)
            await clock.untilSleeping()
            clock.advance(by: .nanoseconds(1))
        }
        await #expect(throws: TransportError.self) { try await task.value }
        #expect(script.requests.count == 3)
    }
}
