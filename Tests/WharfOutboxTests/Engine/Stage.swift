import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfFaults
import WharfPrimitives
import WharfStores

@testable import WharfOutbox

/// An engine over a store in memory, with a clock that stands still until a test moves it.
final class Stage: Sendable {
    let clock = TestClock(start: .start)
    let wall: SetWall
    let memory: MemoryWriteStore
    let store: FlakyStore
    let connectivity: TestConnectivity?
    let incidents = IncidentLog()
    let outbox: OutboxEngine
    private let events: Mutex<[OutboxEvent]> = .init([])

    init(
        _ destinations: any Destination..., online: Bool? = nil,
        retry: OutboxRetry = OutboxRetry(base: .seconds(4), cap: .seconds(60)),
        classify: @escaping OutboxEngine.Classify = { $1 }, width: Int = 4,
        policy: @escaping @Sendable (String) -> DeliveryPolicy = { _ in DeliveryPolicy() }
    ) {
        wall = SetWall(clock)
        memory = MemoryWriteStore(uptime: clock.uptime)
        store = FlakyStore(memory)
        connectivity = online.map { TestConnectivity(isOnline: $0) }
        outbox = OutboxEngine(
            store: store, destinations: destinations, retry: retry, classify: classify, connectivity: connectivity,
            clock: wall, uptime: clock.uptime, timer: clock, random: Largest(), width: width, lease: .seconds(60),
            patience: .seconds(5), onIncident: incidents.handler, policy: policy)
    }

    /// Runs `body` on an engine that is started, and closes it.
    func run(_ body: (Stage) async throws -> Void) async throws {
        outbox.start()
        do { try await body(self) } catch {
            await outbox.close()
            throw error
        }
        await outbox.close()
        // An alarm that is cancelled while its task begins to sleep leaves the clock a moment
        // later.
        await until("nothing sleeps") { clock.sleepers == 0 }
    }

    /// Gives whatever was on its way many chances to arrive: before a look at what must not have
    /// happened.
    func untilQuiet() async { await letOthersRun() }

    /// No lane is under way, the engine has seen all that happened, and its alarm is set.
    ///
    /// An alarm for leases may be set beside it.
    func untilIdle(sourceLocation: SourceLocation = #_sourceLocation) async {
        await until("it is idle", sourceLocation: sourceLocation) {
            let sleepers = outbox.state.withLock { state in
                // A lane is no longer held a moment before it wakes the engine, which rests until
                // then.
                state.schedule.isBusy || !state.held.isEmpty || !state.schedule.hasNothingToDo
                    ? nil : state.extender == nil ? 1 : 2
            }
            return sleepers.map { outbox.wakeUp.isAwaited && clock.sleepers >= $0 } == true
        }
    }

    /// Advances the clock when somebody sleeps until then at the latest.
    func wake(after duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await until("somebody sleeps for \(duration)", sourceLocation: sourceLocation) {
            clock.nextDeadline.map { $0 <= clock.now.advanced(by: duration) } == true
        }
        clock.advance(by: duration)
    }

    /// Lets tasks run until it holds, or the test is cancelled.
    func until(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
    ) async rethrows {
        try await waitUntil(condition)
        if Task.isCancelled { Issue.record("waited in vain until \(what)", sourceLocation: sourceLocation) }
    }

    func state(of id: String, at destination: String = "api") async throws -> OutboxRecord.State? {
        try await memory.record(of: .init(id))?.states[destination]
    }

    func untilGone(_ id: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await until("\(id) is gone", sourceLocation: sourceLocation) {
            try await memory.record(of: .init(id)) == nil
        }
    }

    /// Pending, with a failure, so many attempts that counted.
    func untilFailed(
        _ id: String, attempts: Int, at destination: String = "api", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await until("\(id) has failed", sourceLocation: sourceLocation) {
            guard case .pending(attempts, _, .some) = try await state(of: id, at: destination) else { return false }
            return true
        }
    }

    func untilDead(
        _ id: String, at destination: String = "api", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> DeliveryFailure? {
        var failure: DeliveryFailure?
        try await until("\(id) is dead", sourceLocation: sourceLocation) {
            guard case .dead(_, let found) = try await state(of: id, at: destination) else { return false }
            failure = found
            return true
        }
        return failure
    }
}

extension Schedule {
    /// Whether only time brings it anything to do: at a moment before all others it would rest.
    fileprivate var hasNothingToDo: Bool {
        var copy = self
        let before = Moment(
            wall: WallTime(secondsSince1970: 0), uptime: Uptime(boot: "test", nanoseconds: 0))
        if case .rest = copy.next(at: before) { return true }
        return false
    }
}

/// The time of day as somebody has set it.
final class SetWall: WallClock {
    private let clock: TestClock
    private let shift = Mutex(Duration.zero)

    init(_ clock: TestClock) { self.clock = clock }

    func now() -> WallTime { clock.wall.now() + shift.withLock { $0 } }
    func set(by duration: Duration) { shift.withLock { $0 += duration } }
}

/// A store in memory that fails as a test says.
final class FlakyStore: ForwardingWriteStore {
    let base: MemoryWriteStore
    /// Called before each call with its name; what it returns is thrown.
    private let fault = Mutex<@Sendable (String, Commit?) -> StoreError?>({ _, _ in nil })
    private let between = Mutex<@Sendable () async throws -> Void>({})
    private let held = Mutex<(gate: Gate, isHeld: @Sendable (Commit) -> Bool)?>(nil)
    private let made = Mutex<[Commit?]>([])
    private let calls = Mutex<[String: Int]>([:])

    init(_ base: MemoryWriteStore) { self.base = base }

    func fails(_ fault: @escaping @Sendable (String, Commit?) -> StoreError?) { self.fault.withLock { $0 = fault } }

    /// Called after each look at dependents: what comes between it and the commit.
    func afterDependents(_ between: @escaping @Sendable () async throws -> Void) {
        self.between.withLock { $0 = between }
    }

    /// Commits of a kind wait there before they are made.
    func holdCommits(at gate: Gate, where isHeld: @escaping @Sendable (Commit) -> Bool) {
        held.withLock { $0 = (gate, isHeld) }
    }

    /// How often something was asked for that a fault may be set for.
    func calls(_ call: String) -> Int { calls.withLock { $0[call, default: 0] } }

    /// All commits that have begun, but for those that failed.
    var commits: [Commit] { made.withLock { $0.compactMap { $0 } } }

    private func check(_ call: String, _ commit: Commit? = nil) throws(StoreError) {
        calls.withLock { $0[call, default: 0] += 1 }
        let fault = fault.withLock { $0 }
        if let error = fault(call, commit) { throw error }
    }

    func commit(_ commit: Commit) async throws(StoreError) -> Committed {
        try check("commit", commit)
        if let (gate, isHeld) = held.withLock({ $0 }), isHeld(commit) { await gate.pass() }
        // First: who finds in the journal what it did looks for it here at once.
        let index = made.withLock { made in
            made.append(commit)
            return made.count - 1
        }
        do throws(StoreError) { return try await base.commit(commit) } catch {
            made.withLock { $0[index] = nil }
            throw error
        }
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased {
        try check("lease")
        return try await base.lease(request)
    }

    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        try check("extend")
        return try await base.extend(leases, for: duration)
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue {
        try check("nextDue")
        return try await base.nextDue(request)
    }

    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        let dependents = try await base.dependents(of: entry)
        do { try await between.withLock { $0 }() } catch {
            throw StoreError(.failed, message: "the test failed", cause: error)
        }
        return dependents
    }

    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        let record = try await base.record(of: entry)
        // Counted once it is read: a test that waits for the call changes the record then.
        try check("record")
        return record
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try check("counts")
        return try await base.counts(of: account)
    }
}
