import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

struct DrainTests {
    let api = RecordingDestination("api", kinds: ["note"])

    @Test func drainWithoutStartDeliversDueEntriesAndReportsTheRest() async throws {
        api.answers { entry, _ in
            switch entry.id.text {
            case "b": .rejected
            case "c": .unavailable
            default: .delivered
            }
        }
        let stage = Stage(api)
        try await stage.outbox.enqueue(
            .sample("a"), .sample("b"), .sample("c"), .sample("d"), .sample("p", lane: "p", kind: "later"))
        let report = try await stage.outbox.drain()
        #expect((report.delivered, report.setAside, report.failed) == (1, 1, 1))
        #expect(report.isComplete)
        #expect(report.remaining.pending == [.init("api", kind: "note"): 2, .init("api", kind: "later"): 1])
        #expect(report.remaining.dead == [.init("api", kind: "note"): 1])
        #expect(report.parked == [.init("api", kind: "later"): 1])
        // The engine is idle after the drain.
        stage.clock.advance(by: .seconds(100))
        try await stage.outbox.enqueue(.sample("e", lane: "other"))
        await stage.untilQuiet()
        #expect(!api.received.contains { $0.id.text == "e" })
        #expect(try await stage.outbox.drain().delivered == 1)
        await stage.outbox.close()
    }

    @Test func aDrainDoesNotWaitForBatchesToFill() async throws {
        let sink = RecordingBatchDestination(
            "api", kinds: ["note"], limits: BatchLimits(entries: 10, wait: .seconds(600)))
        let stage = Stage(sink)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"))
        try await stage.run { stage in
            await stage.clock.untilSleeping()
            await stage.untilQuiet()
            #expect(sink.batches.isEmpty)
            let report = try await stage.outbox.drain()
            #expect(report.delivered == 2)
            #expect(sink.batches.count == 1)
        }
    }

    @Test func drainRetriesAnUnreachableDestination() async throws {
        api.answers { _, attempt in attempt == 1 ? .offline : .delivered }
        try await Stage(api, online: false).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilFailed("a", attempts: 0)
            #expect(try await stage.outbox.drain().delivered == 1)
        }
    }

    @Test func drainDeliversEntriesThatBecomeDueDuringIt() async throws {
        let mail = RecordingDestination("mail", kinds: ["note"])
        api.answers { _, _ in .rejected }
        let stage = Stage(api, mail)
        try await stage.outbox.enqueue(
            .sample("a", targets: .first(of: "api", "mail")),
            .sample("b", lane: "b", to: "mail", dependencies: [.init("c")]), .sample("c", lane: "c", to: "mail"))
        let report = try await stage.outbox.drain()
        #expect((report.delivered, report.setAside) == (3, 1))
        await stage.outbox.close()
    }

    @Test func timedOutDrainReleasesItsLanesAndIsIncomplete() async throws {
        let api = api
        api.answers { _, _ in
            await Gate().pass()
            return .unavailable
        }
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        async let report = stage.outbox.drain(within: .seconds(10))
        await api.untilReceived(1)
        await stage.until("it waits") { stage.clock.nextDeadline == TestClock.Instant(offset: .seconds(10)) }
        stage.clock.advance(by: .seconds(10))
        #expect(try await report.isComplete == false)
        #expect(try await report.remaining.pending.values.reduce(0, +) == 1)
        let leased = try await stage.memory.lease(
            LeaseRequest(
                destinations: [.init("api", kinds: ["note"])], now: stage.clock.wall.now()))
        #expect(leased.lanes.first?.deliveries.first?.attempts == 0)
        await stage.outbox.close()
    }

    @Test func startedEngineKeepsDeliveringAfterADrainTimesOut() async throws {
        let gate = Gate()
        api.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            await gate.arrivals()
            let drain = Task { try await stage.outbox.drain(within: .seconds(10)) }
            await stage.until("it waits") { stage.clock.nextDeadline == TestClock.Instant(offset: .seconds(10)) }
            stage.clock.advance(by: .seconds(10))
            #expect(try await drain.value.isComplete == false)
            gate.open()
            try await stage.untilGone("a")
            #expect(api.received.count == 1)
        }
    }

    @Test func cancelledDrainIsIncomplete() async throws {
        let api = api
        api.answers { _, _ in
            await Gate().pass()
            return .unavailable
        }
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        let drain = Task { try await stage.outbox.drain() }
        await api.untilReceived(1)
        drain.cancel()
        #expect(try await drain.value.isComplete == false)
        await stage.until("it has ended") { api.underWay == 0 }
        await stage.outbox.close()
    }

    @Test func aJournalThatFailsEndsADrain() async throws {
        let stage = Stage(api)
        stage.store.fails { call, _ in call == "lease" ? StoreError(.unavailable, message: "locked") : nil }
        await #expect { try await stage.outbox.drain() } throws: { ($0 as? StoreError)?.code == .unavailable }
        await stage.outbox.close()
    }
}
