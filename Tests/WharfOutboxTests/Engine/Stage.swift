import Synchronization
import Testing
import WharfCore
import WharfFaults
import WharfOutbox
import WharfStores
import WharfTesting

/// An engine over a store in memory, with a clock that stands still until a test moves it.
final class Stage: Sendable {
    let clock = TestClock(start: .start)
    let memory = MemoryWriteStore()
    let store: FlakyStore
    let connectivity: TestConnectivity?
    let incidents = IncidentLog()
    let outbox: OutboxEngine
    private let events: Mutex<[OutboxEvent]> = .init([])

    init(
        _ destinations: any Destination..., online: Bool? = nil,
        retry: OutboxRetry = OutboxRetry(base: .seconds(4), cap: .seconds(60)),
        classify: @escaping OutboxEngine.Classify = { $1 }, width: Int = 4
    ) {
        store = FlakyStore(memory)
        connectivity = online.map { TestConnectivity(isOnline: $0) }
        outbox = OutboxEngine(
            store: store, destinations: destinations, retry: retry, classify: classify, connectivity: connectivity,
            clock: clock.wall, uptime: clock.uptime, timer: clock, random: Largest(), width: width, lease: .seconds(60),
            patience: .seconds(5), onIncident: incidents.handler)
    }

    /// Runs `body` on an engine that is started, and closes it.
    func run(_ body: (Stage) async throws -> Void) async throws {
        outbox.start()
        do { try await body(self) } catch {
            await outbox.close()
            throw error
        }
        await outbox.close()
        #expect(clock.sleepers == 0)
    }

    /// Returns once the journal has no delivery on its way or due, and the engine rests. Fails after many chances.
    func untilQuiet() async {
        for _ in 0..<200 { await Task.yield() }
    }

    /// Lets tasks run until it holds.
    func until(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
    ) async rethrows {
        for _ in 0..<20_000 {
            if try await condition() { return }
            await Task.yield()
        }
        Issue.record("waited in vain until \(what)", sourceLocation: sourceLocation)
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

/// A store in memory that fails as a test says.
final class FlakyStore: WriteStore {
    private let base: MemoryWriteStore
    /// Called before each call with its name; what it returns is thrown.
    private let fault = Mutex<@Sendable (String, Commit?) -> StoreError?>({ _, _ in nil })
    private let between = Mutex<@Sendable () async throws -> Void>({})
    private let made = Mutex<[Commit]>([])

    init(_ base: MemoryWriteStore) { self.base = base }

    func fails(_ fault: @escaping @Sendable (String, Commit?) -> StoreError?) { self.fault.withLock { $0 = fault } }

    /// Called after each look at dependents: what comes between it and the commit.
    func afterDependents(_ between: @escaping @Sendable () async throws -> Void) {
        self.between.withLock { $0 = between }
    }

    /// All commits that succeeded.
    var commits: [Commit] { made.withLock { $0 } }

    private func check(_ call: String, _ commit: Commit? = nil) throws(StoreError) {
        let fault = fault.withLock { $0 }
        if let error = fault(call, commit) { throw error }
    }

    func commit(_ commit: Commit) async throws(StoreError) -> Committed {
        try check("commit", commit)
        let committed = try await base.commit(commit)
        made.withLock { $0.append(commit) }
        return committed
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased {
        try check("lease")
        return try await base.lease(request)
    }

    func extend(
        _ leases: [Lease], at uptime: Uptime, for duration: Duration
    ) async throws(StoreError) -> Set<Lease> {
        try check("extend")
        return try await base.extend(leases, at: uptime, for: duration)
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> WallTime? {
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

    func assignedIDs(for temporary: Set<String>, of account: Account?) async throws(StoreError) -> [String: String] {
        try await base.assignedIDs(for: temporary, of: account)
    }

    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try check("record")
        return try await base.record(of: entry)
    }

    func records(of account: Account?, after: OutboxEntry.ID?, limit: Int) async throws(StoreError) -> [OutboxRecord] {
        try await base.records(of: account, after: after, limit: limit)
    }

    func deadLetters(of account: Account?, after: DeliveryID?, limit: Int) async throws(StoreError) -> [DeadLetter] {
        try await base.deadLetters(of: account, after: after, limit: limit)
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try check("counts")
        return try await base.counts(of: account)
    }

    func news() -> AsyncStream<Void> { base.news() }
    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await base.row(key) }
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] { try await base.rows(keys) }
    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        try await base.rows(query, of: account, kind: kind)
    }
    func commit(_ changes: [EntityChange]) async throws(StoreError) { try await base.commit(changes) }
    func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }
    func changes(of account: Account?, kind: String) -> EntityChanges { base.changes(of: account, kind: kind) }
}
