import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

/// Code of the app that calls the engine, while the engine calls it.
///
/// Under the engine's lock each of these calls would be a deadlock.
struct AppCodeTests {
    private let call = Call()

    @Test func policyMayCallTheEngine() async throws {
        let call = call
        let stage = Stage(policy: { _ in
            call.engine()
            return DeliveryPolicy()
        })
        call.set { [outbox = stage.outbox] in outbox.credentialChanged() }
        try await stage.run { stage in
            stage.outbox.register(RecordingDestination("api", kinds: ["note"]))
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilGone("a")
        }
        call.set {}
    }

    @Test func propertiesOfADestinationMayCallTheEngine() async throws {
        let stage = Stage()
        call.set { [outbox = stage.outbox] in outbox.credentialChanged() }
        try await stage.run { stage in
            stage.outbox.register(CallingDestination(call: call))
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilGone("a")
        }
        call.set {}
    }

    @Test func storeAndConnectivityMayCallTheStartingEngine() async throws {
        let call = call
        let clock = TestClock(start: .start)
        let outbox = OutboxEngine(
            store: CallingStore(call: call, base: MemoryWriteStore(uptime: clock.uptime)), destinations: [],
            configuration: .init(
                connectivity: CallingConnectivity(call: call), clock: clock.wall, uptime: clock.uptime, timer: clock))
        call.set { outbox.start() }
        try await outbox.enqueue([.sample("a")], changing: [])
        // An engine that was not started follows the journal while a caller waits.
        let outcome = Task { try await outbox.outcome(of: .init("a")) }
        await call.wasMade()
        outbox.start()
        await outbox.close()
        await #expect(throws: StoreError.self) { try await outcome.value }
        call.set {}
    }
}

/// A call of the engine by the app's code.
private final class Call: Sendable {
    private let state = Mutex<(call: @Sendable () -> Void, isUnderWay: Bool, count: Int)>(({}, false, 0))

    func set(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.call = call } }

    func engine() {
        let call = state.withLock { state -> (@Sendable () -> Void)? in
            // The engine calls the app's code again during the call.
            if state.isUnderWay { return nil }
            state.isUnderWay = true
            return state.call
        }
        guard let call else { return }
        call()
        state.withLock { state in
            state.isUnderWay = false
            state.count += 1
        }
    }

    func wasMade() async { while state.withLock({ $0.count == 0 }) { await Task.yield() } }
}

private struct CallingDestination: BatchDestination {
    let call: Call

    var name: String { called("api") }
    var kinds: Set<String> { called(["note"]) }
    var limits: BatchLimits { called(BatchLimits(entries: 2)) }

    private func called<Value>(_ value: Value) -> Value {
        call.engine()
        return value
    }

    func deliver(_ batch: [OutboxEntry]) async -> [Delivery] { batch.map { _ in .delivered } }
}

private struct CallingConnectivity: Connectivity {
    let call: Call
    private let base = TestConnectivity()

    init(call: Call) { self.call = call }

    var isOnline: Bool { base.isOnline }

    func changes() -> AsyncStream<Bool> {
        call.engine()
        return base.changes()
    }
}

private struct CallingStore: ForwardingWriteStore {
    let call: Call
    let base: MemoryWriteStore

    func notifications() -> AsyncStream<Void> {
        call.engine()
        return base.notifications()
    }
}
