import Testing
import WharfCore
import WharfFakes
import WharfFaults

/// Faults in a transport whose clock is moved by the test.
struct FaultyTransportTests {
    private let clock = TestClock()
    private let base = StubTransport { _ in .ok("hello world") }

    private func transport(_ plan: FaultPlan, seed: UInt64 = 42) -> FaultyTransport {
        FaultyTransport(base, plan, seed: seed, clock: clock, wallClock: clock.wall)
    }

    private static func request(timeout: Duration? = nil, _ body: RequestBody = .none) -> TransportRequest {
        TransportRequest(
            HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"), body: body, timeout: timeout)
    }

    private static func exchange(
        _ transport: any Transport, _ request: TransportRequest = request()
    ) async -> Result<String, TransportError> {
        do throws(TransportError) {
            let answer = try await transport.send(request)
            return .success(
                "\(answer.head.status.code) " + String(decoding: try await answer.body.collect(), as: UTF8.self))
        } catch {
            return .failure(error)
        }
    }

    private static func code(_ result: Result<String, TransportError>) -> TransportError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test func anErrorNamesTheSeedTheExchangeAndTheFault() async throws {
        let transport = transport([.reset(afterBytes: 5).from(2)])
        _ = await Self.exchange(transport)
        guard case .failure(let error) = await Self.exchange(transport) else {
            Issue.record("the answer came whole")
            return
        }
        #expect(error.code == .connectionLost)
        #expect(error.message.contains("fault injected by seed 42, exchange 2: reset@5,from=2"), "\(error)")
        let cause = try #require(error.cause as? InjectedFault)
        #expect(cause.seed == 42 && cause.exchange == 2 && cause.fault == .reset(afterBytes: 5).from(2))
    }

    @Test func errorNamesTheRandomSeed() async throws {
        let transport = FaultyTransport(base, [.down])
        guard case .failure(let error) = await Self.exchange(transport) else {
            Issue.record("the answer came")
            return
        }
        #expect(error.message.contains("seed \(transport.seed)"))
    }

    @Test func latencyIsWaitedForBothWays() async throws {
        let transport = transport([.latency(.seconds(2), .toServer), .latency(.seconds(3))])
        async let answer = Self.exchange(transport)
        await clock.untilSleeping()
        #expect(base.requests.isEmpty)
        clock.advance(by: .seconds(2))
        await clock.untilSleeping()
        #expect(base.requests.count == 1)
        clock.advance(by: .seconds(3))
        #expect(try await answer.get() == "200 hello world")
    }

    @Test func bandwidthLimitDelaysTheBody() async throws {
        let transport = transport([.bandwidth(bitsPerSecond: 8)])
        async let answer = Self.exchange(transport)
        for _ in 0..<11 {
            await clock.untilSleeping()
            clock.advance(by: .seconds(1))
        }
        #expect(try await answer.get() == "200 hello world")
        #expect(clock.now.offset == .seconds(11))
    }

    @Test(arguments: [FaultPlan.offline, [.loss(.share(1), .toServer)], [.loss(.share(1))]])
    func aLostExchangeLastsUntilItsTimeout(plan: FaultPlan) async throws {
        let transport = transport(plan)
        async let answer = Self.exchange(transport, Self.request(timeout: .seconds(60)))
        await clock.untilSleeping()
        clock.advance(by: .seconds(60))
        let result = await answer
        #expect(Self.code(result) == .timedOut)
        guard case .failure(let error) = result else { return }
        #expect(error.message.contains("seed 42, exchange 1: loss=1"), "\(error)")
        // An answer lost on its way back means that the request was served.
        #expect(base.requests.count == (plan.faults.count == 1 && plan.faults[0].direction == .toClient ? 1 : 0))
    }

    @Test func delaysCountAgainstTheTimeout() async throws {
        let transport = transport([.latency(.seconds(2), .toServer), .latency(.seconds(9))])
        async let answer = Self.exchange(transport, Self.request(timeout: .seconds(10)))
        await clock.untilSleeping()
        clock.advance(by: .seconds(2))
        await clock.untilSleeping()
        #expect(base.requests.first?.timeout == .seconds(8))
        clock.advance(by: .seconds(8))
        #expect(Self.code(await answer) == .timedOut)
    }

    @Test(arguments: [FaultPlan.offline, [.latency(.seconds(9))], [.latency(.seconds(9), .toServer)]])
    func cancellationEndsAnInjectedDelay(plan: FaultPlan) async throws {
        let transport = transport(plan)
        let task = Task { await Self.exchange(transport, Self.request(timeout: .seconds(60))) }
        await clock.untilSleeping()
        task.cancel()
        #expect(Self.code(await task.value) == .cancelled)
        #expect(clock.sleepers == 0)
    }

    @Test func lettingGoOfTheBodyLetsGoOfTheOneBelow() async throws {
        let held = StubTransport { _ in
            StubAnswer(head: HTTPResponse(status: .ok), chunks: [[1]], bodyGate: Gate())
        }
        let transport = FaultyTransport(held, [.slowClose(.seconds(1)), .reset(after: .seconds(9))], clock: clock)
        _ = try await transport.send(Self.request())
        await held.departures()
    }

    @Test func aCutComesInTheMiddleOfABody() async throws {
        let gate = Gate()
        let held = StubTransport { _ in
            StubAnswer(head: HTTPResponse(status: .ok), chunks: [[1]], bodyGate: gate)
        }
        let transport = FaultyTransport(held, [.down.after(.seconds(5))], seed: 1, clock: clock)
        let answer = try await transport.send(Self.request())
        async let body = Self.collected(answer)
        await gate.arrivals()
        await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        #expect(await body == .connectionLost)
        #expect(Self.code(await Self.exchange(transport)) == .connectionFailed)
    }

    private static func collected(_ answer: TransportResponse) async -> TransportError.Code? {
        do throws(TransportError) {
            _ = try await answer.body.collect()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func aBrokenBodyBreaksAgain() async throws {
        let transport = transport([.truncated(afterBytes: 5)])
        let answer = try await transport.send(Self.request())
        #expect(await Self.collected(answer) == .connectionLost)
        #expect(await Self.collected(answer) == .connectionLost)
    }

    @Test func faultsApplyToRequestBodies() async throws {
        let reading = ReadingTransport()
        let body = RequestBody.bytes(Array("hello world".utf8))
        let cut = FaultyTransport(reading, [.reset(afterBytes: 5, .toServer)], seed: 42, clock: clock)
        guard case .failure(let error) = await Self.exchange(cut, Self.request(body)) else {
            Issue.record("the request came through")
            return
        }
        #expect(error.code == .connectionLost && error.message.contains("reset@5,to=server"), "\(error)")
        let garbage = FaultyTransport(reading, [.garbage(bytes: 7, .toServer)], clock: clock)
        #expect(try await Self.exchange(garbage, Self.request(body)).get() == "200 7 bytes")
        let wrong = FaultyTransport(reading, [.corrupted(share: 1, .toServer), .sliced(bytes: 2)], clock: clock)
        #expect(try await Self.exchange(wrong, Self.request(body)).get() == "200 11 bytes")
    }

    @Test func storedOnlyRequestsBypassFaultsAndAreNotCounted() async throws {
        let transport = transport([.down.first(1)])
        var stored = Self.request()
        stored.cache = .storedOnly
        #expect(try await Self.exchange(transport, stored).get() == "200 hello world")
        #expect(Self.code(await Self.exchange(transport)) == .connectionFailed)
    }

    @Test(arguments: [FaultPlan.none, [.down.with(probability: 0)], [.latency(.seconds(9)).first(0)]])
    func withoutAFaultNothingIsTouched(plan: FaultPlan) async throws {
        let response = TransportResponse(
            head: HTTPResponse(status: .ok), body: .empty,
            provenance: Provenance(source: .httpCache, asOf: .distantPast))
        let transport = FaultyTransport(Constant(response: response), plan, clock: clock) { report in
            Issue.record("\(report)")
        }
        let answer = try await transport.send(Self.request(timeout: .seconds(7)))
        #expect(answer.provenance.source == .httpCache && answer.provenance.asOf == .distantPast)
        #expect(answer.body.producer == nil)
    }

    private struct Constant: Transport {
        let response: TransportResponse
        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            guard request.timeout == .seconds(7) else { throw TransportError(.invalidRequest, message: "changed") }
            return response
        }
    }

    /// A transport that answers with the number of bytes in the request's body.
    private struct ReadingTransport: Transport {
        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            var count = 0
            switch request.body {
            case .none: break
            case .bytes(let bytes): count = bytes.count
            case .stream(let make, _):
                do throws(TransportError) {
                    count = try await make().collect().count
                } catch {
                    throw TransportError(.connectionFailed, message: "the body could not be read", cause: error)
                }
            }
            return TransportResponse(
                head: HTTPResponse(status: .ok), body: BodyStream(Array("\(count) bytes".utf8)),
                provenance: Provenance(source: .network, asOf: .distantPast))
        }
    }
}
