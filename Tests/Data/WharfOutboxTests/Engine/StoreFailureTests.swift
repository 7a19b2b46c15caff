import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfOutbox

struct StoreFailureTests {
    let api = RecordingDestination("api", kinds: ["note"])
    private static let locked = StoreError(.unavailable, message: "locked")

    @Test func failedJournalReadIsRetried() async throws {
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        let failures = Mutex(3)
        stage.store.fails { call, _ in
            guard call == "lease" || call == "nextDue", failures.withLock({ $0 > 0 }) else { return nil }
            failures.withLock { $0 -= 1 }
            return Self.locked
        }
        try await stage.run { stage in
            for left in [2, 1, 0] {
                await stage.until("it has failed") { failures.withLock { $0 } == left }
                await stage.wake(after: .seconds(1))
            }
            try await stage.untilGone("a")
            #expect(stage.incidents.codes == [.journalFailed, .journalFailed, .journalFailed])
        }
    }

    @Test func failedSettlementIsRetriedWithoutSendingAgain() async throws {
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"), .sample("b"))
        let isLocked = Mutex(true)
        stage.store.fails { call, _ in call == "commit" && isLocked.withLock { $0 } ? Self.locked : nil }
        try await stage.run { stage in
            await stage.until("it has failed") { stage.incidents.codes.count == 1 }
            #expect(try await stage.state(of: "a") != nil)
            isLocked.withLock { $0 = false }
            await stage.wake(after: .seconds(1))
            try await stage.untilGone("b")
            #expect(api.received.map(\.id.text) == ["a", "b"])
        }
    }

    @Test func failedSettlementHoldsItsLaneOnly() async throws {
        let stage = Stage(api, width: 8)
        for number in 0..<8 { try await stage.outbox.enqueue(.sample("a\(number)", lane: "\(number)")) }
        stage.store.fails { _, commit in
            commit?.settled.contains { $0.delivery.entry.text == "a3" } == true
                ? StoreError(.tooLarge, message: "poisoned") : nil
        }
        try await stage.run { stage in
            for number in [0, 1, 2, 4, 5, 6, 7] { try await stage.untilGone("a\(number)") }
            // It may be answered last, and then it has not failed yet.
            await stage.until("it has failed") { !stage.incidents.codes.isEmpty }
            #expect(try await stage.state(of: "a3") != nil)
            stage.store.fails { _, _ in nil }
            await stage.wake(after: .seconds(1))
            try await stage.untilGone("a3")
            #expect(api.received.count == 8)
        }
    }

    @Test func anEngineThatClosesDoesNotWaitForAStoreThatFails() async throws {
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        stage.store.fails { call, _ in call == "commit" ? Self.locked : nil }
        try await stage.run { stage in
            await stage.until("it has failed") { stage.incidents.codes.count == 1 }
        }
        // The entry is in the journal, unchanged, and is delivered again under the same key.
        stage.store.fails { _, _ in nil }
        stage.clock.advance(by: .seconds(61))
        #expect(try await stage.state(of: "a") == .pending(attempts: 0, nextAttempt: .start, nil))
    }

    @Test func anEnqueueThatFailsLeavesNothing() async throws {
        try await Stage(api).run { stage in
            stage.store.fails { call, _ in call == "commit" ? StoreError(.full, message: "the disk is full") : nil }
            await #expect { try await stage.outbox.enqueue(.sample("a"), .sample("b")) } throws: {
                ($0 as? StoreError)?.code == .full
            }
            let counts = try await stage.memory.counts(of: nil)
            #expect(counts.pending.isEmpty)
        }
    }

    @Test func concurrentSettlementsShareCommits() async throws {
        let gate = Gate()
        api.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        let commits = Gate()
        let stage = Stage(api, width: 50)
        stage.store.holdCommits(at: commits) { !$0.settled.isEmpty }
        try await stage.run { stage in
            try await stage.outbox.enqueue((0..<50).map { .sample("a\($0)", lane: "\($0)") }, changing: [])
            await gate.arrivals(50)
            let before = stage.store.commits.count
            gate.open()
            // One commit is in progress. Without it, lanes that are each answered after the last
            // commit would have nothing to share.
            await stage.until("all are answered") {
                stage.outbox.state.withLock { $0.schedule.admissions["api"]?.permitHolders } == 0
            }
            commits.open()
            for number in 0..<50 { try await stage.untilGone("a\(number)") }
            #expect(stage.store.commits.count - before < 40)
        }
    }
}
