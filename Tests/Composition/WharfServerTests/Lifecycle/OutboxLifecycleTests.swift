import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfServer
import WharfStorage
import WharfStores

struct OutboxLifecycleTests {
    private let clock = TestClock()

    private func entry(_ id: String) -> OutboxEntry {
        OutboxEntry(
            id: .init(id), lane: "l", kind: .init("note"), payload: [], targets: .all("api"),
            enqueuedAt: clock.wall.now())
    }

    /// The batch would wait for an hour, so only draining sends it.
    @Test func shutdownDrainsAndClosesTheOutbox() async throws {
        let api = RecordingBatchDestination(
            "api", kinds: ["note"], limits: BatchLimits(entries: 10, wait: .seconds(3_600)))
        let outbox = OutboxEngine(
            store: MemoryWriteStore(), destinations: [api], configuration: .init(clock: clock.wall))
        let reports = Mutex<[DrainReport]>([])
        let lifecycle = OutboxLifecycle(outbox) { report in reports.withLock { $0.append(report) } }
        try await testGracefulShutdown { trigger in
            async let running: Void = lifecycle.run()
            try await outbox.enqueue(entry("a"), entry("b"))
            trigger.triggerGracefulShutdown()
            try await running
        }
        #expect(api.batches.map { $0.map(\.id.text) } == [["a", "b"]])
        let report = try #require(reports.withLock { $0.first })
        #expect(report.isComplete && report.delivered == 2 && report.remaining.pending.isEmpty)
        let code = await #expect(throws: StoreError.self) { try await outbox.drain() }?.code
        #expect(code == .closed, "it was closed")
    }

    @Test func outboxDeliversWhileTheServiceRuns() async throws {
        let api = RecordingDestination("api", kinds: ["note"])
        let outbox = OutboxEngine(
            store: MemoryWriteStore(), destinations: [api], configuration: .init(clock: clock.wall))
        try await testGracefulShutdown { trigger in
            async let running: Void = OutboxLifecycle(outbox).run()
            try await outbox.enqueue(entry("a"))
            await api.untilReceived(1)
            trigger.triggerGracefulShutdown()
            try await running
        }
    }

    @Test func cancellationClosesTheOutboxWithoutDraining() async throws {
        let outbox = OutboxEngine(store: MemoryWriteStore())
        let drained = Mutex(false)
        let lifecycle = OutboxLifecycle(outbox) { _ in drained.withLock { $0 = true } }
        let running = Task { try await lifecycle.run() }
        running.cancel()
        try await running.value
        #expect(!drained.withLock { $0 })
        await #expect(throws: StoreError.self) { try await outbox.drain() }
    }

    /// The cancellation does not wait for the drain, which would take an hour.
    @Test func cancellationDuringADrainReleasesLanesAndCloses() async throws {
        let gate = Gate()
        let api = RecordingBatchDestination(
            "api", kinds: ["note"], limits: BatchLimits(entries: 10, wait: .seconds(3_600))
        ) { batch in
            await gate.pass()
            return batch.map { _ in .unavailable }
        }
        let store = MemoryWriteStore()
        let outbox = OutboxEngine(store: store, destinations: [api], configuration: .init(clock: clock.wall))
        let reports = Mutex<[DrainReport]>([])
        let lifecycle = OutboxLifecycle(outbox, drainingWithin: .seconds(3_600)) { report in
            reports.withLock { $0.append(report) }
        }
        try await testGracefulShutdown { trigger in
            let running = Task { try await lifecycle.run() }
            try await outbox.enqueue(entry("a"), entry("b"))
            trigger.triggerGracefulShutdown()
            // Only draining sends it.
            await gate.arrivals()
            running.cancel()
            try await running.value
        }
        #expect(reports.withLock { $0.map(\.isComplete) } == [false])
        let code = await #expect(throws: StoreError.self) { try await outbox.drain() }?.code
        #expect(code == .closed)
        let leased = try await store.lease(
            LeaseRequest(
                destinations: [.init("api", kinds: ["note"])], now: clock.wall.now()))
        #expect(leased.lanes.map { $0.deliveries.map(\.entry.id.text) } == [["a", "b"]])
        #expect(leased.lanes.first?.deliveries.first?.attempts == 0)
    }

    @Test func storeFailureAtShutdownIsThrown() async throws {
        let store = MemoryWriteStore()
        let outbox = OutboxEngine(
            store: store, destinations: [RecordingDestination("api", kinds: ["note"])])
        store.close()
        await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            await #expect(throws: StoreError.self) { try await OutboxLifecycle(outbox).run() }
        }
    }
}
