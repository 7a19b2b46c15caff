internal import Synchronization
internal import WharfCore

/// The outbox that a repository's changes wait in, and who waits for what becomes of them.
final class WaitingChanges<Model: Sendable>: Sendable {
    struct Change: Sendable {
        /// Of the pending write.
        let number: UInt64
        let key: EntityKey
        let decision: Decision<WriteOutcome<Model>>
    }

    let outbox: any Outbox
    private let changes = Mutex<[OutboxEntry.ID: Change]>([:])
    private let restoring = Mutex<Task<Result<Void, StoreError>, Never>?>(nil)
    private let isRestored = Atomic(false)

    init(_ outbox: any Outbox) { self.outbox = outbox }

    func begin(_ entry: OutboxEntry.ID, _ number: UInt64, _ key: EntityKey) -> Decision<WriteOutcome<Model>> {
        let change = Change(number: number, key: key, decision: Decision())
        changes.withLock { $0[entry] = change }
        return change.decision
    }

    func change(_ entry: OutboxEntry.ID) -> Change? { changes.withLock { $0[entry] } }

    func decision(of entry: OutboxEntry.ID) -> Decision<WriteOutcome<Model>>? { change(entry)?.decision }

    /// - Returns: nil where it has ended before.
    func end(_ entry: OutboxEntry.ID) -> Change? { changes.withLock { $0.removeValue(forKey: entry) } }

    /// Runs `body` once, whoever calls first; again where it failed.
    func restoreOnce(
        on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async throws(StoreError) -> Void
    ) async throws(StoreError) {
        if isRestored.load(ordering: .acquiring) { return }
        let task = restoring.withLock { restoring in
            if let restoring { return restoring }
            // Not the caller's own: others wait for it.
            let task = Task.detached(executorPreference: executor) { [self] in await restore(body) }
            restoring = task
            return task
        }
        try await task.value.get()
    }

    private func restore(_ body: () async throws(StoreError) -> Void) async -> Result<Void, StoreError> {
        do throws(StoreError) {
            try await body()
            isRestored.store(true, ordering: .releasing)
            return .success(())
        } catch {
            restoring.withLock { $0 = nil }
            return .failure(error)
        }
    }
}
