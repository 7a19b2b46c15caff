import Synchronization
import WharfCore
import WharfFakes
import WharfStores

/// One engine's access to the shared journal. After its death no call reaches the journal.
final class WitnessedStore: ForwardingWriteStore {
    private let witness: Witness
    private let engine: Int
    private let isDead = Mutex(false)

    init(_ witness: Witness, engine: Int) {
        self.witness = witness
        self.engine = engine
    }

    var base: MemoryWriteStore { witness.journal }

    var isAlive: Bool { isDead.withLock { !$0 } }
    func die() { isDead.withLock { $0 = true } }

    private func checkLife() throws(StoreError) {
        guard isAlive else { throw StoreError(.closed, message: "the process is dead") }
    }

    /// A kill may come before or after the body's effect, and other tasks may run in between.
    private func living<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        await witness.pause()
        try checkLife()
        let value = try await body()
        await witness.pause()
        try checkLife()
        return value
    }

    func commit(_ commit: Commit) async throws(StoreError) -> Committed {
        try await living { () async throws(StoreError) in
            let committed = try await base.commit(commit)
            witness.committed(commit, committed)
            return committed
        }
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased {
        try await living { () async throws(StoreError) in
            let until = witness.uptime.now() + request.duration
            let leased = try await base.lease(request)
            witness.leased(leased, by: engine, until: until)
            return leased
        }
    }

    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        try await living { () async throws(StoreError) in
            let until = witness.uptime.now() + duration
            let extended = try await base.extend(leases, for: duration)
            witness.extended(extended, until: until)
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
