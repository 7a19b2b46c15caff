import Synchronization
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

/// One engine's access to the shared journal. After its death no call reaches the journal.
final class CheckedStore: ForwardingWriteStore {
    private let checker: GuaranteeChecker
    private let engine: Int
    private let isDead = Mutex(false)

    init(_ checker: GuaranteeChecker, engine: Int) {
        self.checker = checker
        self.engine = engine
    }

    var base: MemoryWriteStore { checker.journal }

    var isAlive: Bool { isDead.withLock { !$0 } }
    func die() { isDead.withLock { $0 = true } }

    private func checkLife() throws(StoreError) {
        guard isAlive else { throw StoreError(.closed, message: "the process is dead") }
    }

    /// A kill may come before or after the body's effect, and other tasks may run in between.
    private func living<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        await checker.pause()
        try checkLife()
        let value = try await body()
        await checker.pause()
        try checkLife()
        return value
    }

    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        try await living { () async throws(StoreError) in
            let committed = try await base.commit(commit)
            checker.committed(commit, committed)
            return committed
        }
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        try await living { () async throws(StoreError) in
            let until = checker.uptime.now() + request.duration
            let leased = try await base.lease(request)
            checker.leased(leased, by: engine, until: until)
            return leased
        }
    }

    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        try await living { () async throws(StoreError) in
            let until = checker.uptime.now() + duration
            let extended = try await base.extend(leases, for: duration)
            checker.extended(extended, until: until)
            return extended
        }
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue {
        try await living { () async throws(StoreError) in try await base.nextDue(request) }
    }

    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try await living { () async throws(StoreError) in try await base.dependents(of: entry) }
    }
}
