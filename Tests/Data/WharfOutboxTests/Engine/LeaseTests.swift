import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfOutbox

struct LeaseTests {
    let api = RecordingDestination("api", kinds: ["note"])
    private let gate = Gate()

    /// Whether another engine could lease the lane now.
    private func isFree(_ stage: Stage, _ name: String = "lane") async throws -> Bool {
        let request = LeaseRequest(
            destinations: [.init("api", kinds: ["note"])], now: stage.clock.wall.now())
        let leased = try await stage.memory.lease(request)
        var commit = Commit()
        commit.released = leased.lanes.map(\.lease)
        try await stage.memory.commit(commit)
        return leased.lanes.contains { $0.lease.lane.name == name }
    }

    @Test func aDeliveryThatTakesLongKeepsItsLease() async throws {
        let gate = gate
        api.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"), .sample("b"))
            await gate.arrivals()
            for _ in 0..<20 {
                await stage.wake(after: .seconds(20))
                await stage.untilQuiet()
            }
            #expect(try await !isFree(stage))
            gate.open()
            try await stage.untilGone("b")
            #expect(api.received.count == 2)
        }
    }

    @Test func engineWithALostLeaseSendsNoMoreOfTheLane() async throws {
        let gate = gate
        api.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"))
        try await stage.run { stage in
            await gate.arrivals()
            // The machine sleeps, so no lease is extended. Another engine then takes the lane over.
            stage.store.fails { call, _ in
                call == "extend" || call == "lease" ? StoreError(.unavailable, message: "asleep") : nil
            }
            stage.clock.advance(by: .seconds(61))
            await stage.untilQuiet()
            let other = try await stage.memory.lease(
                LeaseRequest(
                    destinations: [.init("api", kinds: ["note"])], now: stage.clock.wall.now()))
            #expect(other.lanes.count == 1)
            gate.open()
            await stage.untilQuiet()
            #expect(api.received.count == 1)
        }
    }

    /// Time passes between the readings of the engine's clock and of the store's.
    @Test func leaseTimeIsCountedFromTheRequest() async throws {
        let gate = gate
        api.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        let asked = Mutex<[String: Uptime]>([:])
        stage.store.fails { [clock = stage.clock] call, _ in
            guard ["lease", "extend"].contains(call) else { return nil }
            let isFirst = asked.withLock { asked in
                defer { asked[call] = asked[call] ?? clock.uptime.now() }
                return asked[call] == nil
            }
            if isFirst { clock.advance(by: .seconds(5)) }
            return nil
        }
        func goodUntil() -> Uptime? { stage.outbox.state.withLock { $0.heldLanes.values.first?.goodUntil } }
        try await stage.run { stage in
            await gate.arrivals()
            let leased = asked.withLock { $0["lease"] }
            #expect(leased != nil && goodUntil() == leased.map { $0 + .seconds(60) })
            await stage.wake(after: .seconds(20))
            await stage.until("it is extended") { goodUntil() != leased.map { $0 + .seconds(60) } }
            let extended = asked.withLock { $0["extend"] }
            #expect(extended != nil && goodUntil() == extended.map { $0 + .seconds(60) })
            gate.open()
            try await stage.untilGone("a")
        }
    }

    /// The engine reads its clock for the lease, and again to find the next due delivery.
    @Test func entryDueBetweenLeaseAndNextDueQueryIsDelivered() async throws {
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        let lane = try #require(
            try await stage.memory.lease(LeaseRequest(destinations: [.init("api", kinds: ["note"])], now: .start)).lanes
                .first
        )
        var commit = Commit()
        commit.settled = [
            Settlement(
                lane.deliveries[0].id, under: lane.lease,
                .retry(at: .start + .seconds(4), DeliveryFailure(.noAnswer, message: "no")), attempts: 1,
                attemptedAt: .start)
        ]
        commit.released = [lane.lease]
        try await stage.memory.commit(commit)
        let isFirst = Mutex(true)
        stage.store.fails { [wall = stage.wall] call, _ in
            guard call == "lease", isFirst.withLock({ $0 }) else { return nil }
            isFirst.withLock { $0 = false }
            wall.set(by: .seconds(5))
            return nil
        }
        // The test does not wait until the entry is gone. If the engine missed it, that wait would
        // never end.
        try await stage.run { stage in
            await stage.untilIdle()
            #expect(api.received.map(\.id.text) == ["a"])
        }
    }

    @Test func anEngineThatIsClosedGivesItsLanesBackAndCountsNoAttempt() async throws {
        let api = api
        api.answers { _, _ in
            // A cancelled request returns in this way.
            await Gate().pass()
            return .unavailable
        }
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"))
        try await stage.run { stage in await api.untilReceived(1) }
        #expect(try await isFree(stage))
        guard case .pending(0, .start, .some) = try await stage.state(of: "a") else {
            Issue.record("\(String(describing: try await stage.state(of: "a")))")
            return
        }
    }

    @Test func deliveryEndingDuringCloseIsSettled() async throws {
        let api = api
        api.answers { _, _ in
            await Gate().pass()
            return .delivered
        }
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"))
        try await stage.run { _ in await api.untilReceived(1) }
        #expect(try await stage.state(of: "a") == nil)
        #expect(try await stage.state(of: "b") != nil && api.received.count == 1)
    }

    @Test func closeLeavesAHangingDeliveryWithItsLease() async throws {
        let stuck = Gate()
        api.answers { _, _ in
            await Task { await stuck.pass() }.value
            return .delivered
        }
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        stage.outbox.start()
        await stuck.arrivals()
        async let closed: Void = stage.outbox.close()
        await stage.until("it waits") { stage.clock.nextDeadline == TestClock.Instant(offset: .seconds(5)) }
        stage.clock.advance(by: .seconds(5))
        await closed
        #expect(try await !isFree(stage))
        stuck.open()
        await stage.untilQuiet()
        // The answer is not settled under the expired lease. The entry is delivered again once the
        // lease has run out.
        #expect(try await stage.state(of: "a") != nil)
        stage.clock.advance(by: .seconds(60))
        #expect(try await isFree(stage))
    }

    @Test func engineTakesOverACrashedLeaseOnceItExpires() async throws {
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        let crashed = try await stage.memory.lease(
            LeaseRequest(destinations: [.init("api", kinds: ["note"])], now: .start))
        #expect(crashed.lanes.count == 1)
        try await stage.run { stage in
            await stage.untilIdle()
            await stage.untilQuiet()
            #expect(api.received.isEmpty)
            stage.clock.advance(by: .seconds(60))
            try await stage.untilGone("a")
        }
    }

    @Test func closedEngineDeliversNothingMore() async throws {
        let stage = Stage(api)
        stage.outbox.start()
        await stage.outbox.close()
        await stage.outbox.close()
        stage.outbox.start()
        try await stage.outbox.enqueue(.sample("a"))
        await stage.untilQuiet()
        #expect(api.received.isEmpty)
        await #expect(throws: StoreError.self) { try await stage.outbox.drain() }
    }
}
