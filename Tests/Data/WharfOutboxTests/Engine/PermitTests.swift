import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPrimitives
import WharfStorage
import WharfStores

@testable import WharfOutbox

/// Permits for deliveries in flight, and lanes whose settlements are being committed meanwhile.
struct PermitTests {
    private let api = RecordingDestination("api", kinds: ["note"])
    private let gate = Gate()

    private var ids: [String] { api.received.map(\.id.text) }

    /// Runs an engine with one permit. Lane "lane" has the entries "a" and "c". Lane "other" has
    /// "b", which is enqueued once "a" was received: lanes that start together may take the permit
    /// in either order. No settlement is committed before the gate is open.
    @discardableResult
    private func run(_ body: (Stage) async throws -> Void) async throws -> Stage {
        let stage = Stage(api, width: 1)
        stage.store.holdCommits(at: gate) { !$0.settled.isEmpty }
        try await stage.outbox.enqueue(.sample("a"), .sample("c"))
        try await stage.run { stage in
            await api.untilReceived(1)
            try await stage.outbox.enqueue(.sample("b", lane: "other"))
            await api.untilReceived(2)
            try await body(stage)
        }
        return stage
    }

    private func untilALaneWaits(_ stage: Stage) async {
        await stage.until("a lane waits for a permit") {
            stage.outbox.state.withLock { $0.permits["api"]?.waiting } == 1
        }
    }

    @Test func whileASettlementIsCommittedAnotherLaneDelivers() async throws {
        try await run { stage in
            await stage.untilQuiet()
            // The lane of "a" waits for its own settlement.
            #expect(ids == ["a", "b"])
            gate.open()
            try await stage.untilGone("c")
            #expect(ids == ["a", "b", "c"])
        }
    }

    @Test(arguments: [1, 2, 3]) func concurrentDeliveriesReachButNeverExceedTheWidth(width: Int) async throws {
        let most = Mutex(0)
        let api = api
        api.answers { _, _ in
            most.withLock { $0 = max($0, api.underWay) }
            // However slow the machine is, `width` deliveries start. After that no further one may
            // start beside them.
            await waitUntil { most.withLock { $0 } >= width }
            await letOthersRun(chances: 8)
            most.withLock { $0 = max($0, api.underWay) }
            return .delivered
        }
        let stage = Stage(api, width: width)
        let entries = (0..<60).map { OutboxEntry.sample("\(100 + $0)", lane: "\($0 % 12)") }
        try await stage.outbox.enqueue(entries, changing: [])
        let report = try await stage.outbox.drain()
        #expect(report.delivered == 60)
        #expect(most.withLock { $0 } == width)
        for lane in 0..<12 {
            let received = api.received.filter { $0.lane == "\(lane)" }.map(\.id.text)
            #expect(received.count == 5 && received == received.sorted())
        }
        await stage.outbox.close()
    }

    @Test func laneWaitingForAPermitIsReleasedOnClose() async throws {
        api.answers { entry, _ in
            // A cancelled request returns in this way.
            if entry.id.text == "b" { await Gate().pass() }
            return .delivered
        }
        let stage = try await run { stage in
            gate.open()
            await untilALaneWaits(stage)
        }
        #expect(ids == ["a", "b"])
        let request = LeaseRequest(
            destinations: [.init("api", kinds: ["note"])], now: stage.clock.wall.now())
        #expect(try await stage.memory.lease(request).lanes.map(\.lease.lane.name) == ["lane"])
    }

    @Test func unauthorizedAnswerStopsALaneWaitingForAPermit() async throws {
        let answer = Gate()
        api.answers { entry, _ in
            guard entry.id.text == "b" else { return .delivered }
            await answer.pass()
            return .needsAuthentication
        }
        try await run { stage in
            gate.open()
            await untilALaneWaits(stage)
            answer.open()
            await stage.untilIdle()
            #expect(ids == ["a", "b"])
        }
    }

    @Test func offlineAnswerStopsALaneWaitingForAPermit() async throws {
        let answer = Gate()
        api.answers { entry, _ in
            guard entry.id.text == "b" else { return .delivered }
            await answer.pass()
            return .offline
        }
        let stage = Stage(api, online: true, width: 1)
        stage.store.holdCommits(at: gate) { !$0.settled.isEmpty }
        try await stage.outbox.enqueue(.sample("a", lane: "1"))
        try await stage.run { stage in
            for (count, id) in [(1, "b"), (2, "c")] {
                await api.untilReceived(count)
                try await stage.outbox.enqueue(.sample(id, lane: id))
            }
            await untilALaneWaits(stage)
            stage.connectivity?.turn(online: false)
            answer.open()
            gate.open()
            await stage.untilIdle()
            #expect(ids == ["a", "b"])
        }
    }
}
