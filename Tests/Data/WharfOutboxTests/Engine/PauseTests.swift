import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

struct PauseTests {
    private let api = RecordingDestination("api", kinds: ["note"])
    private let mail = RecordingDestination("mail", kinds: ["note"])

    @Test func aPausedDestinationGetsNothingUntilItIsResumed() async throws {
        try await Stage(api, mail).run { stage in
            try await stage.outbox.pause("api", because: "the service moves")
            try await stage.outbox.enqueue(
                .sample("a"), .sample("b"), .sample("c", lane: "c", to: "mail"))
            try await stage.untilGone("c")
            await stage.untilIdle()
            #expect(api.received.isEmpty)
            let pause = OutboxPause(since: .start, reason: "the service moves")
            #expect(try await stage.memory.counts(of: nil).paused == ["api": pause])
            try await stage.outbox.resume("api")
            try await stage.untilGone("b")
            #expect(api.received.map(\.id.text) == ["a", "b"])
            #expect(try await stage.memory.counts(of: nil).paused.isEmpty)
            #expect(stage.clock.now == TestClock.Instant(offset: .zero))
        }
    }

    @Test func deliveryInFlightAtThePauseIsSettled() async throws {
        let gate = Gate()
        api.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            await gate.arrivals()
            try await stage.outbox.pause("api")
            try await stage.outbox.enqueue(.sample("b"))
            gate.open()
            try await stage.untilGone("a")
            await stage.untilIdle()
            await stage.untilQuiet()
            #expect(api.received.map(\.id.text) == ["a"])
            try await stage.outbox.resume("api")
            try await stage.untilGone("b")
        }
    }

    @Test func aRetryWaitsForTheEndOfThePause() async throws {
        api.answers { _, attempt in attempt == 1 ? .unavailable : .delivered }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilFailed("a", attempts: 1)
            try await stage.outbox.pause("api")
            await stage.untilIdle()
            stage.clock.advance(by: .seconds(600))
            await stage.untilQuiet()
            #expect(api.received.count == 1)
            try await stage.outbox.resume("api")
            try await stage.untilGone("a")
        }
    }

    @Test func resumeByAnotherEngineTakesEffect() async throws {
        try await Stage(api).run { stage in
            let other = OutboxEngine(store: stage.memory, configuration: .init(clock: stage.wall))
            try await other.pause("api")
            try await stage.outbox.enqueue(.sample("a"))
            await stage.untilIdle()
            await stage.untilQuiet()
            #expect(api.received.isEmpty)
            try await other.resume("api")
            try await stage.untilGone("a")
            await other.close()
        }
    }

    @Test func aPauseOutlastsTheEngineAndADrainIsComplete() async throws {
        let stage = Stage(api)
        try await stage.run { stage in
            try await stage.outbox.pause("api")
            try await stage.outbox.enqueue(.sample("a"), .sample("b", lane: "b"))
        }
        let next = OutboxEngine(
            store: stage.memory, destinations: [api, mail], configuration: .init(clock: stage.wall))
        try await next.enqueue(.sample("c", to: "mail"))
        let paused = try await next.drain()
        #expect(paused.delivered == 1 && paused.isComplete)
        #expect(paused.paused == [.init("api", kind: "note"): 2])
        try await next.resume("api")
        let resumed = try await next.drain()
        #expect(resumed.delivered == 2 && resumed.isComplete && resumed.paused.isEmpty)
        await next.close()
    }

    @Test func eventsReportAPauseAndItsEnd() async throws {
        let stage = Stage(api)
        let events = stage.outbox.events
        try await stage.run { stage in
            try await stage.outbox.pause("api")
            try await stage.outbox.resume("api")
        }
        var seen: [OutboxEvent] = []
        for await event in events { seen.append(event) }
        #expect(seen == [.paused(destination: "api"), .resumed(destination: "api")])
    }

    @Test func failedPauseEmitsNoEvent() async throws {
        let stage = Stage(api)
        let events = stage.outbox.events
        try await stage.run { stage in
            stage.store.fails { call, _ in call == "commit" ? StoreError(.unavailable, message: "full") : nil }
            await #expect(throws: StoreError.self) { try await stage.outbox.pause("api") }
            stage.store.fails { _, _ in nil }
        }
        for await event in events { Issue.record("told of \(event)") }
    }

    /// A changed credential does not end a pause that a person asked for.
    @Test func credentialChangeDoesNotEndAPause() async throws {
        try await Stage(api).run { stage in
            try await stage.outbox.pause("api")
            try await stage.outbox.enqueue(.sample("a"))
            stage.outbox.credentialChanged()
            await stage.untilIdle()
            await stage.untilQuiet()
            #expect(api.received.isEmpty)
        }
    }
}
