import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

/// Failures for which the entry is not responsible do not count as its attempts.
struct WaitingTests {
    let api = RecordingDestination("api", kinds: ["note"])

    @Test func offlineProbesBackOffAndCountNoAttempt() async throws {
        api.answers { _, attempt in attempt < 4 ? .offline : .delivered }
        try await Stage(api, retry: OutboxRetry(attempts: 1, base: .seconds(4))).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            for (attempt, pause) in [4, 8, 16].enumerated() {
                await api.untilReceived(attempt + 1)
                try await stage.untilFailed("a", attempts: 0)
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(pause - 1))
                await stage.untilQuiet()
                #expect(api.received.count == attempt + 1)
                stage.clock.advance(by: .seconds(1))
            }
            try await stage.untilGone("a")
        }
    }

    @Test func returningNetworkResumesDeliveryAtOnce() async throws {
        let stage = Stage(api, online: false)
        let connectivity = try #require(stage.connectivity)
        api.answers { _, _ in connectivity.isOnline ? .delivered : .offline }
        try await stage.run { stage in
            for number in 0..<6 { try await stage.outbox.enqueue(.sample("a\(number)", lane: "\(number)")) }
            try await stage.untilFailed("a0", attempts: 0)
            await stage.untilIdle()
            let tries = api.received.count
            #expect(tries <= 6)
            stage.clock.advance(by: .seconds(30))
            await stage.untilQuiet()
            #expect(api.received.count == tries)
            connectivity.turn(online: true)
            for number in 0..<6 { try await stage.untilGone("a\(number)") }
        }
    }

    @Test func answerReopensADestinationClosedByAnotherLane() async throws {
        let gate = Gate()
        api.answers { entry, _ in
            guard entry.lane != "bad" else { return .offline }
            await gate.pass()
            return .delivered
        }
        try await Stage(api, retry: OutboxRetry(base: .seconds(60))).run { stage in
            try await stage.outbox.enqueue(.sample("a", lane: "a"), .sample("b", lane: "a"))
            await gate.arrivals()
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"))
            try await stage.untilFailed("bad", attempts: 0)
            gate.open()
            // The clock has not moved.
            for id in ["a", "b"] { try await stage.untilGone(id) }
            try await stage.untilFailed("bad", attempts: 1)
            try await stage.outbox.enqueue(.sample("c", lane: "c"))
            try await stage.untilGone("c")
        }
    }

    @Test func unreachableLaneAloneHoldsNoOtherAndIsExhausted() async throws {
        api.answers { entry, _ in entry.lane == "bad" ? .offline : .delivered }
        try await Stage(api, retry: OutboxRetry(attempts: 3, base: .seconds(4))).run { stage in
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"), .sample("next", lane: "bad"))
            try await stage.untilFailed("bad", attempts: 0)
            await stage.untilIdle()
            try await stage.outbox.enqueue(.sample("a", lane: "a"))
            try await stage.untilGone("a")
            try await stage.untilFailed("bad", attempts: 1)
            for number in 0..<5 {
                await stage.untilIdle()
                try await stage.outbox.enqueue(.sample("b\(number)", lane: "b"))
                try await stage.untilGone("b\(number)")
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(10))
            }
            #expect(try await stage.untilDead("bad")?.code == .exhausted)
        }
    }

    @Test func unreachableLanesDoNotMonopolizeTheProbes() async throws {
        api.answers { entry, _ in entry.lane == "good" ? .delivered : .offline }
        let stage = Stage(api, width: 1)
        try await stage.outbox.enqueue(
            .sample("a", lane: "a"), .sample("b", lane: "b"), .sample("g", lane: "good"))
        stage.clock.advance(by: .seconds(1))
        try await stage.run { stage in
            for (bad, pause) in [("a", 4), ("b", 8)] {
                try await stage.untilFailed(bad, attempts: 0)
                await stage.untilIdle()
                await stage.untilQuiet()
                await stage.wake(after: .seconds(pause))
            }
            try await stage.untilGone("g")
            #expect(api.received.prefix(3).map(\.id.text) == ["a", "b", "g"])
        }
    }

    /// The pause before the next probe is much longer.
    @Test func aLaneThatBecomesDueIsTriedWhileAnotherIsNotReached() async throws {
        api.answers { entry, _ in entry.lane == "bad" ? .offline : .delivered }
        try await Stage(api, retry: OutboxRetry(base: .seconds(300), cap: .seconds(300))).run { stage in
            let later = OutboxEntry.Target("api", .unlessDelivered(by: "mail", within: .seconds(40)))
            try await stage.outbox.enqueue(
                .sample("bad", lane: "bad"), .sample("g", lane: "good", targets: [.init("mail"), later]))
            try await stage.untilFailed("bad", attempts: 0)
            await stage.untilIdle()
            stage.clock.advance(by: .seconds(40))
            try await stage.until("it has arrived") { try await stage.state(of: "g") == .delivered }
            #expect(stage.clock.now == TestClock.Instant(offset: .seconds(40)))
            // The untried lane was released, and the answer of the other shows that the destination
            // is reachable.
            try await stage.untilFailed("bad", attempts: 1)
        }
    }

    @Test func trialThatFailedAtTheStoreIsMadeAtTheNextTrialTime() async throws {
        api.answers { entry, _ in entry.lane == "bad" ? .offline : .delivered }
        try await Stage(api, retry: OutboxRetry(base: .seconds(300), cap: .seconds(300))).run { stage in
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"))
            try await stage.untilFailed("bad", attempts: 0)
            await stage.untilIdle()
            let failures = Mutex(1)
            stage.store.fails { call, _ in
                guard call == "lease" else { return nil }
                return failures.withLock { left in
                    defer { left = max(0, left - 1) }
                    return left > 0 ? StoreError(.unavailable, message: "locked") : nil
                }
            }
            try await stage.outbox.enqueue(.sample("good", lane: "good"))
            await stage.until("it has failed") { failures.withLock { $0 } == 0 }
            await stage.wake(after: .seconds(1))
            await stage.untilIdle()
            await stage.wake(after: .seconds(29))
            try await stage.untilGone("good")
            #expect(stage.clock.now == TestClock.Instant(offset: .seconds(30)))
        }
    }

    @Test func newLanesOfAnOfflineDestinationAreTriedOneByOne() async throws {
        let api = api
        api.answers { _, _ in .offline }
        try await Stage(api, retry: OutboxRetry(base: .seconds(300), cap: .seconds(300))).run { stage in
            try await stage.outbox.enqueue(.sample("a", lane: "a"))
            try await stage.untilFailed("a", attempts: 0)
            for (number, tries) in [(0, 2), (1, 3), (2, 4)] {
                try await stage.outbox.enqueue(.sample("b\(number)", lane: "\(number)"))
                if number > 0 {
                    await stage.untilIdle()
                    await stage.untilQuiet()
                    #expect(api.received.count == tries - 1)
                    stage.clock.advance(by: .seconds(30))
                }
                try await stage.untilFailed("b\(number)", attempts: 0)
                await stage.untilIdle()
                #expect(api.received.count == tries)
            }
        }
    }

    @Test func attemptsStopCountingWhenNoLaneIsReachable() async throws {
        let api = api
        api.answers { entry, _ in entry.lane == "bad" ? .offline : .delivered }
        try await Stage(api, retry: OutboxRetry(attempts: 4, base: .seconds(4), cap: .seconds(4))).run { stage in
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"), .sample("a", lane: "a"))
            try await stage.untilGone("a")
            api.answers { _, _ in .offline }
            try await stage.outbox.enqueue(.sample("b", lane: "b"))
            try await stage.untilFailed("b", attempts: 0)
            for _ in 0..<20 {
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(4))
            }
            await stage.untilIdle()
            let tries = api.received.count
            try await stage.outbox.enqueue(.sample("c", lane: "b"))
            await stage.untilQuiet()
            #expect(api.received.count == tries)
            try await stage.untilFailed("b", attempts: 0)
            guard case .pending(0...1, _, _) = try await stage.state(of: "bad") else {
                Issue.record("attempts were counted: \(String(describing: try await stage.state(of: "bad")))")
                return
            }
            api.answers { _, _ in .delivered }
            await stage.wake(after: .seconds(4))
            for id in ["bad", "b"] { try await stage.untilGone(id) }
        }
    }

    @Test func replacementOfAnOfflineDestinationIsTriedAtOnce() async throws {
        api.answers { _, _ in .offline }
        let other = RecordingDestination("api", kinds: ["note"])
        try await Stage(api, online: false).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilFailed("a", attempts: 0)
            await stage.untilIdle()
            stage.outbox.register(other)
            try await stage.untilGone("a")
            #expect(other.received.count == 1)
        }
    }

    @Test func offlineDestinationHoldsNoOther() async throws {
        api.answers { _, _ in .offline }
        let file = RecordingDestination("file", kinds: ["note"])
        try await Stage(api, file, online: false).run { stage in
            try await stage.outbox.enqueue(.sample("a", to: "api", "file"), .sample("b", to: "api", "file"))
            await stage.until("the file has both") { file.received.count == 2 }
        }
    }
}
