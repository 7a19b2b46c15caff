import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfFaults
import WharfPrimitives
import WharfStorage
import WharfStores

@testable import WharfOutbox

/// An engine over a store in memory, with a clock that a test moves.
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
        var configuration = OutboxEngine.Configuration(
            connectivity: connectivity, clock: wall, uptime: clock.uptime, timer: clock, random: Largest())
        configuration.retry = retry
        configuration.classify = classify
        configuration.width = width
        configuration.lease = .seconds(60)
        configuration.patience = .seconds(5)
        configuration.onIncident = incidents.handler
        configuration.policy = policy
        outbox = OutboxEngine(store: store, destinations: destinations, configuration: configuration)
    }

    /// Starts the engine, runs `body`, and closes the engine.
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

    /// Yields many times, before a check that an event has not happened.
    func untilQuiet() async { await letOthersRun() }

    /// Waits until no lane is active, the engine has handled every event, and its alarm is set.
    ///
    /// A second alarm, for leases, may be set.
    func untilIdle(sourceLocation: SourceLocation = #_sourceLocation) async {
        await until("it is idle", sourceLocation: sourceLocation) {
            let sleepers = outbox.state.withLock { state in
                // A lane is released a moment before it wakes the engine, which rests until then.
                state.schedule.isBusy || !state.heldLanes.isEmpty || !state.schedule.hasNothingToDo
                    ? nil : state.extender == nil ? 1 : 2
            }
            return sleepers.map { outbox.wakeUp.isAwaited && clock.sleepers >= $0 } == true
        }
    }

    /// Advances the clock, once a sleeper's deadline is within `duration`.
    func wake(after duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
        await until("somebody sleeps for \(duration)", sourceLocation: sourceLocation) {
            clock.nextDeadline.map { $0 <= clock.now.advanced(by: duration) } == true
        }
        clock.advance(by: duration)
    }

    /// Yields until the condition holds or the test is cancelled.
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

    /// Waits until the entry is pending with a failure and the given number of counted attempts.
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
    /// Whether only time can bring work: at a moment before all others the schedule would rest.
    fileprivate var hasNothingToDo: Bool {
        var copy = self
        let before = ClockReading(
            wall: WallTime(secondsSince1970: 0), uptime: Uptime(boot: "test", nanoseconds: 0))
        if case .wait = copy.next(at: before) { return true }
        return false
    }
}

/// A wall clock that a test can set.
final class SetWall: WallClock {
    private let clock: TestClock
    private let shift = Mutex(Duration.zero)

    init(_ clock: TestClock) { self.clock = clock }

    func now() -> WallTime { clock.wall.now() + shift.withLock { $0 } }
    func set(by duration: Duration) { shift.withLock { $0 += duration } }
}

/// A store in memory whose calls a test can make fail.
final class FlakyStore: ForwardingWriteStore {
    let base: MemoryWriteStore
    /// Called with the name of each call before the call. The store throws the returned error.
    private let fault = Mutex<@Sendable (String, Commit?) -> StoreError?>({ _, _ in nil })
    private let between = Mutex<@Sendable () async throws -> Void>({})
    private let held = Mutex<(gate: Gate, isHeld: @Sendable (Commit) -> Bool)?>(nil)
    private let made = Mutex<[Commit?]>([])
    private let calls = Mutex<[String: Int]>([:])

    init(_ base: MemoryWriteStore) { self.base = base }

    func fails(_ fault: @escaping @Sendable (String, Commit?) -> StoreError?) { self.fault.withLock { $0 = fault } }

    /// Calls `between` after each query for dependents, before the commit that follows.
    func afterDependents(_ between: @escaping @Sendable () async throws -> Void) {
        self.between.withLock { $0 = between }
    }

    /// Holds the commits that match the predicate at the gate.
    func holdCommits(at gate: Gate, where isHeld: @escaping @Sendable (Commit) -> Bool) {
        held.withLock { $0 = (gate, isHeld) }
    }

    /// The number of calls with the given name.
    func calls(_ call: String) -> Int { calls.withLock { $0[call, default: 0] } }

    /// All commits that have begun, except those that failed.
    var commits: [Commit] { made.withLock { $0.compactMap { $0 } } }

    private func check(_ call: String, _ commit: Commit? = nil) throws(StoreError) {
        calls.withLock { $0[call, default: 0] += 1 }
        let fault = fault.withLock { $0 }
        if let error = fault(call, commit) { throw error }
    }

    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        try check("commit", commit)
        if let (gate, isHeld) = held.withLock({ $0 }), isHeld(commit) { await gate.pass() }
        // Recorded before the commit, as a test that sees its effect in the journal then looks for
        // it here.
        let index = made.withLock { made in
            made.append(commit)
            return made.count - 1
        }
        do throws(StoreError) { return try await base.commit(commit) } catch {
            made.withLock { $0[index] = nil }
            throw error
        }
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
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
        // Counted after the read, as a test that waits for the call then changes the record.
        try check("record")
        return record
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try check("counts")
        return try await base.counts(of: account)
    }
}
