import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

struct DeliveryTests {
    let api = RecordingDestination("api", kinds: ["note"])

    private func ids(_ entries: [OutboxEntry]) -> [String] { entries.map(\.id.text) }

    @Test func entriesFromBeforeTheStartAreDeliveredInOrder() async throws {
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"), .sample("c"))
        try await stage.run { stage in
            try await stage.untilGone("c")
            #expect(ids(api.received) == ["a", "b", "c"])
            #expect(stage.store.commits.last?.released.count == 1)
        }
    }

    @Test func enqueuedEntryWakesAnIdleEngine() async throws {
        try await Stage(api).run { stage in
            await stage.clock.untilSleeping()
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilGone("a")
            await stage.clock.untilSleeping()
            try await stage.outbox.enqueue(.sample("b"))
            try await stage.untilGone("b")
        }
    }

    @Test func backoffHoldsTheLaneOnlyAndRetriesTheSameBytesAndKey() async throws {
        api.answers { entry, attempt in entry.id.text == "a" && attempt < 3 ? .unavailable : .delivered }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"), .sample("b"), .sample("c", lane: "other"))
            try await stage.untilFailed("a", attempts: 1)
            try await stage.untilGone("c")
            #expect(ids(api.received).sorted() == ["a", "c"])
            await stage.untilIdle()
            // There is no write, restart or query that could wake the engine.
            stage.clock.advance(by: .seconds(4))
            try await stage.untilFailed("a", attempts: 2)
            await stage.untilIdle()
            stage.clock.advance(by: .seconds(3))
            await stage.untilQuiet()
            #expect(api.received.count == 3)
            stage.clock.advance(by: .seconds(5))
            try await stage.untilGone("b")
            #expect(ids(api.received.filter { $0.lane == "lane" }) == ["a", "a", "a", "b"])
            #expect(Set(api.received.filter { $0.id.text == "a" }).count == 1)
        }
    }

    @Test func rejectedEntryBecomesADeadLetterAndItsLaneContinues() async throws {
        api.answers { entry, _ in entry.id.text == "a" ? .rejected : .delivered }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"), .sample("b"))
            try await stage.untilGone("b")
            #expect(try await stage.untilDead("a")?.code == .rejected)
            #expect(try await stage.outbox.deadLetters().map(\.entry.id.text) == ["a"])
        }
    }

    @Test func entryBeyondItsAttemptLimitIsExhausted() async throws {
        api.answers { entry, _ in entry.id.text == "a" ? .unavailable : .delivered }
        try await Stage(api, retry: OutboxRetry(attempts: 2, base: .seconds(4))).run { stage in
            try await stage.outbox.enqueue(.sample("a"), .sample("b"))
            try await stage.untilFailed("a", attempts: 1)
            await stage.wake(after: .seconds(4))
            #expect(try await stage.untilDead("a")?.code == .exhausted)
            try await stage.untilGone("b")
        }
    }

    @Test func offlineTimeDoesNotCountTowardsTheTimeLimit() async throws {
        let retry = OutboxRetry(attempts: nil, time: .seconds(3_600), base: .seconds(4), cap: .seconds(4))
        api.answers { _, attempt in attempt == 1 ? .offline : attempt < 6 ? .unavailable : .delivered }
        try await Stage(api, retry: retry).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilFailed("a", attempts: 0)
            await stage.untilIdle()
            stage.clock.advance(by: .seconds(864_000))
            for attempts in 1...4 {
                try await stage.untilFailed("a", attempts: attempts)
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(4))
            }
            try await stage.untilGone("a")
        }
    }

    @Test func retriedDeadLetterGetsItsFullTimeLimitAgain() async throws {
        let retry = OutboxRetry(attempts: nil, time: .seconds(3_600), base: .seconds(4), cap: .seconds(4))
        api.answers { _, attempt in attempt < 8 ? .unavailable : .delivered }
        try await Stage(api, retry: retry).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            for attempts in 1...2 {
                try await stage.untilFailed("a", attempts: attempts)
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(2_000))
            }
            #expect(try await stage.untilDead("a")?.code == .exhausted)
            stage.clock.advance(by: .seconds(864_000))
            try await stage.outbox.retry([DeliveryID(.init("a"), to: "api")])
            for attempts in 1...4 {
                try await stage.untilFailed("a", attempts: attempts)
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(4))
            }
            try await stage.untilGone("a")
        }
    }

    @Test func clockSetBackDoesNotDelayARetry() async throws {
        api.answers { _, attempt in attempt < 3 ? .unavailable : .delivered }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilFailed("a", attempts: 1)
            await stage.untilIdle()
            stage.wall.set(by: .seconds(-10_800))
            stage.clock.advance(by: .seconds(4))
            try await stage.untilFailed("a", attempts: 2)
            await stage.untilIdle()
            // Only its own backoff holds it.
            stage.clock.advance(by: .seconds(8))
            try await stage.untilGone("a")
        }
    }

    @Test func appClassifierOverridesTheVerdict() async throws {
        api.answers { _, _ in .rejected }
        let stage = Stage(
            api,
            classify: { pending, delivery in
                guard case .rejected(let failure) = delivery.verdict, failure.status == 422 else { return delivery }
                return pending.entry.id.text == "a" ? Delivery(.delivered) : delivery
            })
        try await stage.run { stage in
            try await stage.outbox.enqueue(.sample("a"), .sample("b"))
            #expect(try await stage.untilDead("b")?.code == .rejected)
            #expect(try await stage.state(of: "a") == nil)
        }
    }

    @Test func eachDestinationHasItsOwnAttempts() async throws {
        let mail = RecordingDestination("mail", kinds: ["note"]) { _, attempt in
            attempt == 1 ? .unavailable : .delivered
        }
        try await Stage(api, mail).run { stage in
            try await stage.outbox.enqueue(.sample("a", to: "api", "mail"))
            try await stage.untilFailed("a", attempts: 1, at: "mail")
            try await stage.until("the other has it") { try await stage.state(of: "a") == .delivered }
            await stage.wake(after: .seconds(4))
            try await stage.untilGone("a")
            #expect(api.received.count == 1 && mail.received.count == 2)
        }
    }

    @Test func answerEntitiesAreCommittedWithTheSettlement() async throws {
        let row = EntityRow(
            key: EntityKey(kind: "note", id: "1"), schema: 1, bytes: [1], asOf: .start, staleAt: .start)
        api.answers { entry, _ in Delivery(.rejected(.down), entities: entry.id.text == "a" ? [.put(row)] : []) }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            _ = try await stage.untilDead("a")
            #expect(stage.store.commits.last { !$0.settled.isEmpty }?.entities == [.put(row)])
        }
    }

    @Test func hangingDeliveryBlocksItsOwnLaneOnly() async throws {
        let gate = Gate()
        let mail = RecordingDestination("mail", kinds: ["note"])
        api.answers { entry, _ in
            if entry.lane == "stuck" { await gate.pass() }
            return .delivered
        }
        try await Stage(api, mail, width: 2).run { stage in
            try await stage.outbox.enqueue(.sample("s", lane: "stuck"), .sample("t", lane: "stuck"))
            await gate.arrivals()
            for number in 0..<10 {
                try await stage.outbox.enqueue(.sample("a\(number)", lane: "\(number)", to: "api", "mail"))
            }
            for number in 0..<10 { try await stage.untilGone("a\(number)") }
            #expect(api.received.count == 11 && mail.received.count == 10)
            gate.open()
            try await stage.untilGone("t")
        }
    }

    @Test func widthLimitsConcurrentLanes() async throws {
        let gate = Gate()
        let most = Mutex(0)
        let api = api
        api.answers { _, _ in
            most.withLock { $0 = max($0, api.underWay) }
            await gate.pass()
            return .delivered
        }
        try await Stage(api, width: 3).run { stage in
            for number in 0..<9 { try await stage.outbox.enqueue(.sample("a\(number)", lane: "\(number)")) }
            await gate.arrivals(3)
            await stage.untilQuiet()
            #expect(api.received.count == 3)
            gate.open()
            for number in 0..<9 { try await stage.untilGone("a\(number)") }
            #expect(most.withLock { $0 } == 3)
        }
    }

    @Test func unregisteredKindIsParkedUntilItsDestinationRegisters() async throws {
        let stage = Stage(api)
        let events = stage.outbox.events
        try await stage.run { stage in
            try await stage.outbox.enqueue(.sample("a", kind: "later"), .sample("b"))
            await stage.untilQuiet()
            #expect(api.received.isEmpty)
            #expect(try await stage.state(of: "a") == .pending(attempts: 0, nextAttempt: .start, nil))
            let both = RecordingDestination("api", kinds: ["note", "later"])
            stage.outbox.register(both)
            try await stage.untilGone("b")
            #expect(ids(both.received) == ["a", "b"])
        }
        var parked: [OutboxEvent] = []
        for await event in events { if case .parked = event { parked.append(event) } }
        #expect(parked == [.parked(.init("api", kind: "later"))])
    }

    @Test func entryParkedBeforeTheStartIsReported() async throws {
        let stage = Stage(api)
        try await stage.memory.commit(Commit(enqueued: [.sample("a", kind: "later")]))
        let events = stage.outbox.events
        try await stage.run { _ in
            for await event in events where event == .parked(.init("api", kind: "later")) { break }
        }
    }

    @Test func dependentWaitsForItsDependencyAtAnotherDestination() async throws {
        let mail = RecordingDestination("mail", kinds: ["note"])
        api.answers { _, attempt in attempt == 1 ? .unavailable : .delivered }
        try await Stage(api, mail).run { stage in
            try await stage.outbox.enqueue(
                .sample("b", lane: "b", to: "mail", dependencies: [.init("a")]), .sample("a", lane: "a"))
            try await stage.untilFailed("a", attempts: 1)
            await stage.untilIdle()
            await stage.untilQuiet()
            #expect(mail.received.isEmpty)
            await stage.wake(after: .seconds(4))
            try await stage.untilGone("b")
            #expect(mail.received.count == 1)
        }
    }
}
