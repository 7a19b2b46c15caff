import Testing
import WharfCore
import WharfFakes
import WharfFaults
import WharfRandom
import WharfTestServer

/// The laws of a plan for every carrier: a transport around the client, or a proxy between two
/// sockets.
struct CarrierLawTests {
    @Test(
        arguments: FaultCarrier.all, [FaultPlan.none, [.down.with(probability: 0), .garbage().with(probability: 0)]])
    func withoutFaultsEveryByteComesThrough(carrier: FaultCarrier, plan: FaultPlan) async throws {
        try await carrier.run(plan) { _, client in
            var random = SeededGenerator(seed: 7)
            for size in [1, 100, 4096, 16_384, 300_000, 2_000_000] {
                let body = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
                #expect(await client.answer(sending: body) == .came(200, body), "\(size) bytes")
            }
        }
    }

    @Test(arguments: FaultCarrier.all, 1...5 as ClosedRange<UInt64>)
    func slicesChangeNoByte(carrier: FaultCarrier, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let size = Int.random(in: 1...3000, using: &random)
        let plan: FaultPlan = [
            .sliced(bytes: size, jitter: size - 1), .sliced(bytes: size, jitter: size / 2, .toServer),
            .latency(.milliseconds(3), jitter: .milliseconds(3)), .slowClose(.milliseconds(2)),
        ]
        let body = (0..<Int.random(in: 1...100_000, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await carrier.run(plan, seed: seed) { _, client in
            #expect(await client.answer(sending: body) == .came(200, body))
        }
    }

    @Test(arguments: FaultCarrier.all, [FaultPlan.lte, .dsl, .threeG])
    func presetsChangeNoByte(carrier: FaultCarrier, plan: FaultPlan) async throws {
        try await carrier.run(plan) { _, client in
            let body = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            #expect(await client.answer(sending: body) == .came(200, body))
        }
    }

    @Test(arguments: FaultCarrier.all)
    func seedDecidesTheFaultsOfEachCarrier(carrier: FaultCarrier) async throws {
        let plan: FaultPlan = [
            .status(.serviceUnavailable).with(probability: 0.5), .latency(.milliseconds(2), jitter: .milliseconds(2)),
            .reset(afterBytes: 0).with(probability: 0.3).from(4), .refused.first(2).with(probability: 0.5),
        ]
        let reports = Reports()
        try await carrier.run(plan, seed: 11, onReport: { reports.add($0) }) { _, client in
            for _ in 1...20 { _ = await client.answer() }
        }
        var engine = FaultEngine(plan, seed: 11)
        #expect(reports.faults(of: 20) == (1...20).map { _ in engine.begin(at: .zero).faults })
    }

    @Test(arguments: FaultCarrier.all, [Fault.refused, .down, .reset(afterBytes: 0), .reset(afterBytes: 0, .toServer)])
    func faultsHitTheFirstExchangesOnly(carrier: FaultCarrier, fault: Fault) async throws {
        try await carrier.run([fault.first(2)]) { server, client in
            for _ in 1...2 {
                let code = await client.answer().text
                #expect(["connectionFailed", "connectionLost"].contains(code), "\(code)")
            }
            #expect(await client.answer() == .hello)
            // An answer that is lost on its way back was requested.
            let reached = fault == .reset(afterBytes: 0) ? 3 : 1
            #expect(server.requests.count == reached)
        }
    }

    @Test(arguments: FaultCarrier.all, [Fault.refused, .down])
    func refusedAndDownAreConnectionFailed(carrier: FaultCarrier, fault: Fault) async throws {
        try await carrier.run([fault]) { server, client in
            #expect(await client.answer() == .failed(.connectionFailed))
            #expect(server.connectionCount == 0)
        }
    }

    @Test(arguments: FaultCarrier.all, [Fault.reset(afterBytes: 100_000), .truncated(afterBytes: 100_000)])
    func aBodyThatBreaksNeverLooksComplete(carrier: FaultCarrier, fault: Fault) async throws {
        try await carrier.run([fault.first(1)]) { _, client in
            let body = [UInt8](repeating: 65, count: 200_000)
            #expect(await client.answer(sending: body) == .failed(.connectionLost))
            #expect(await client.answer(sending: body) == .came(200, body))
        }
    }

    @Test(arguments: FaultCarrier.all, [Fault.Direction.toServer, .toClient])
    func injectedStatusReplacesTheAnswer(carrier: FaultCarrier, direction: Fault.Direction) async throws {
        let fault = Fault.status(.serviceUnavailable, direction).first(2)
        try await carrier.run([fault]) { server, client in
            for number in 1...2 {
                let text = await client.answer(sending: [1, 2, 3]).text
                #expect(text == "503 fault injected by seed 42, exchange \(number): \(fault)\n")
            }
            #expect(await client.answer() == .hello)
            #expect(server.requests.count == (direction == .toServer ? 1 : 3))
        }
    }

    @Test(arguments: FaultCarrier.all)
    func injectedStatusForHeadHasNoBody(carrier: FaultCarrier) async throws {
        try await carrier.run([.status(.serviceUnavailable)]) { _, client in
            #expect(await client.answer(.head) == .came(503, []))
        }
    }

    @Test func garbageIsTheSameByEitherWay() async throws {
        for direction in [Fault.Direction.toServer, .toClient] {
            let plan: FaultPlan = [.garbage(bytes: 50, direction)]
            var engine = FaultEngine(plan, seed: 42)
            let bytes = try #require(engine.begin(at: .zero).garbage(direction)?.bytes)
            for carrier in FaultCarrier.all {
                try await carrier.run(plan) { _, client in
                    #expect(await client.answer(sending: [1, 2, 3]) == .came(200, bytes), "\(carrier.testDescription)")
                }
            }
        }
    }

    @Test(arguments: FaultCarrier.all)
    func corruptedAnswerDiffersFromTheOriginal(carrier: FaultCarrier) async throws {
        try await carrier.run([.corrupted(share: 1)]) { _, client in
            #expect(await client.answer(timeout: .seconds(2)) != .hello)
        }
    }

    @Test(arguments: FaultCarrier.all, [FaultPlan.offline, [.loss(.share(1), .toServer)], [.loss(.share(1))]])
    func lostExchangeLastsUntilItsTimeout(carrier: FaultCarrier, plan: FaultPlan) async throws {
        let clock = TestClock()
        try await carrier.run(plan, clock: clock) { server, client in
            async let answer = client.answer(timeout: .seconds(60))
            let arrives = plan.faults[0].direction == .toClient
            if arrives { try await server.request(1) }
            await clock.untilSleeping()
            clock.advance(by: .seconds(60))
            #expect(await answer == .failed(.timedOut))
            #expect(server.requests.count == (arrives ? 1 : 0))
        }
    }

    @Test(arguments: FaultCarrier.all, [Fault.reset(after: .milliseconds(100)), .down.after(.milliseconds(100))])
    func connectionIsCutAtItsTime(carrier: FaultCarrier, fault: Fault) async throws {
        try await carrier.run([fault]) { server, client in
            server.route(.get, "/never", .hanging)
            // A request is refused in place of cut only if the machine takes longer than that to
            // send it.
            let text = await client.answer(to: "/never").text
            #expect(["connectionLost", "connectionFailed"].contains(text), "\(text)")
            guard fault.start > .zero else { return }
            // The port is closed a moment after that time. A connection made in between is reset.
            let later = await client.answer().text
            #expect(["connectionLost", "connectionFailed"].contains(later), "\(later)")
        }
    }

    @Test(arguments: FaultCarrier.all)
    func delaysAreNotShorterThanSaid(carrier: FaultCarrier) async throws {
        let plan: FaultPlan = [.latency(.milliseconds(30), .toServer), .latency(.milliseconds(40))]
        try await carrier.run(plan) { _, client in
            let start = ContinuousClock.now
            #expect(await client.answer() == .hello)
            #expect(ContinuousClock.now - start >= .milliseconds(70))
        }
    }
}
