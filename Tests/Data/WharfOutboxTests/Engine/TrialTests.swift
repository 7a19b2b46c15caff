import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

/// Attempts of untried lanes while a destination is considered unreachable, long before the next
/// probe.
struct TrialTests {
    let api = RecordingDestination("api", kinds: ["note"])
    private let retry = OutboxRetry(base: .seconds(300), cap: .seconds(300))

    private func stage(online: Bool? = nil, width: Int = 4) -> Stage {
        api.answers { entry, _ in entry.lane.hasPrefix("bad") ? .offline : .delivered }
        return Stage(api, online: online, retry: retry, width: width)
    }

    /// Enqueues an entry of this engine's account from another engine.
    private func enqueueElsewhere(_ entry: OutboxEntry, _ stage: Stage) async throws {
        try await stage.memory.commit(Commit(enqueued: [entry]))
        await stage.untilIdle()
        await stage.untilQuiet()
    }

    private let none = TestClock.Instant(offset: .zero)

    @Test func newLaneIsTriedBehindManyUnreachableLanes() async throws {
        try await stage(width: 301).run { stage in
            try await stage.outbox.enqueue(
                (0..<300).map { .sample("bad \($0)", lane: "bad \($0)") }, changing: [])
            for number in 0..<300 { try await stage.untilFailed("bad \(number)", attempts: 0) }
            await stage.untilIdle()
            try await stage.outbox.enqueue(.sample("good", lane: "good"))
            try await stage.untilGone("good")
            #expect(stage.clock.now == none)
        }
    }

    /// Such a trial holds no further lane, so that this engine and others can lease them.
    @Test func aTrialLeasesNoMoreThanItAttempts() async throws {
        api.answers { _, _ in .offline }
        try await Stage(api, retry: retry, width: 9).run { stage in
            try await stage.memory.commit(Commit(enqueued: (0..<5).map { .sample("\($0)", lane: "\($0)") }))
            for number in 0..<5 { try await stage.untilFailed("\(number)", attempts: 0) }
            await stage.untilIdle()
            let (tries, leases) = (api.received.count, stage.store.commits.flatMap(\.released).count)
            try await stage.outbox.enqueue(.sample("new", lane: "new"))
            try await stage.untilFailed("new", attempts: 0)
            await stage.untilIdle()
            #expect(api.received.count == tries + 1)
            #expect(stage.store.commits.flatMap(\.released).count == leases + 1)
        }
    }

    @Test func cancelledDeliveryDoesNotMarkTheDestinationOffline() async throws {
        api.answers { _, attempt in
            guard attempt == 1 else { return .delivered }
            // Hangs until it is cancelled.
            await Gate().pass()
            return .offline
        }
        let stage = Stage(api, retry: retry)
        try await stage.outbox.enqueue(.sample("a"))
        let draining = Task { try await stage.outbox.drain(within: .seconds(1)) }
        await api.untilReceived(1)
        await stage.wake(after: .seconds(1))
        #expect(try await draining.value.isComplete == false)
        let now = stage.clock.now
        try await stage.run { stage in
            try await stage.untilGone("a")
            #expect(stage.clock.now == now)
        }
    }

    /// The system will report the network's return.
    @Test func noTrialIsMadeWhileTheSystemReportsNoNetwork() async throws {
        try await stage(online: true).run { stage in
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"))
            try await stage.untilFailed("bad", attempts: 0)
            await stage.untilIdle()
            let connectivity = try #require(stage.connectivity)
            connectivity.turn(online: false)
            try await enqueueElsewhere(.sample("good", lane: "good"), stage)
            try await stage.outbox.resume("api")
            await stage.untilIdle()
            await stage.untilQuiet()
            await stage.untilIdle()
            #expect(!api.received.contains { $0.lane == "good" })
            connectivity.turn(online: true)
            try await stage.untilGone("good")
            #expect(stage.clock.now == none)
        }
    }

    @Test func dueLaneIsTriedWhenItsDestinationIsResumed() async throws {
        try await stage().run { stage in
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"))
            try await stage.untilFailed("bad", attempts: 0)
            await stage.untilIdle()
            try await enqueueElsewhere(.sample("good", lane: "good"), stage)
            #expect(!api.received.contains { $0.lane == "good" })
            try await stage.outbox.resume("api")
            try await stage.untilGone("good")
            #expect(stage.clock.now == none)
        }
    }

    @Test(arguments: ["retry", "edit", "discard"])
    func laneMadeDueByARetryEditOrDiscardIsTried(decision: String) async throws {
        api.answers { _, _ in .rejected }
        try await Stage(api, retry: retry).run { stage in
            try await stage.outbox.enqueue(.sample("good", lane: "good"))
            _ = try await stage.untilDead("good")
            api.answers { entry, _ in entry.lane.hasPrefix("bad") ? .offline : .delivered }
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"))
            try await stage.untilFailed("bad", attempts: 0)
            await stage.untilIdle()
            // The entry depends on the dead letter.
            try await enqueueElsewhere(.sample("behind", lane: "behind", dependencies: [.init("good")]), stage)
            let letter = try #require(try await stage.outbox.deadLetters().first)
            switch decision {
            case "retry": try await stage.outbox.retry([letter.id])
            case "edit": try await stage.outbox.edit(letter, payload: [1])
            default:
                try await enqueueElsewhere(.sample("another", lane: "another"), stage)
                try await stage.outbox.discard([letter.id])
            }
            await stage.until("it has arrived") { api.received.count { $0.lane == "good" || $0.lane == "another" } > 1 }
            #expect(stage.clock.now == none)
        }
    }
}
