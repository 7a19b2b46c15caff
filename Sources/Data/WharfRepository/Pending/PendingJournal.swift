internal import Synchronization
internal import WharfCore
internal import WharfStorage

/// The journal in which a repository's changes wait, and how far it was read.
final class PendingJournal: Sendable {
    // Only turns of the write queue and `restoreOnce` move the cursor, so no two reads of new
    // entries overlap.
    let outbox: any Outbox
    /// The position of the last entry that was read.
    private let cursor = Mutex<Int64?>(nil)
    private let restoring = Mutex<Task<Result<Void, StoreError>, Never>?>(nil)
    private let isRestored = Atomic(false)
    private let isFollowed = Atomic(false)
    private let follower = Mutex<Task<Void, Never>?>(nil)

    init(_ outbox: any Outbox) { self.outbox = outbox }

    deinit { follower.withLock { $0?.cancel() } }

    var store: any WriteStore { outbox.store }

    var last: Int64? {
        get { cursor.withLock { $0 } }
        set { cursor.withLock { $0 = newValue } }
    }

    /// Runs `body` once for all callers, and again after a failure.
    func restoreOnce(
        on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async throws(StoreError) -> Void
    ) async throws(StoreError) {
        if isRestored.load(ordering: .acquiring) { return }
        let task = restoring.withLock { restoring in
            if let restoring { return restoring }
            // Detached, because a cancelled caller must not end the task for the others.
            let task = Task.detached(executorPreference: executor) { [self] in await restore(body) }
            restoring = task
            return task
        }
        try await task.value.get()
    }

    private func restore(_ body: () async throws(StoreError) -> Void) async -> Result<Void, StoreError> {
        do throws(StoreError) {
            try await body()
            // Pairs with the acquiring load: a caller that sees it also sees the restored changes.
            isRestored.store(true, ordering: .releasing)
            return .success(())
        } catch {
            // Cleared before the failure is returned. A caller that tries again must not join the
            // failed task.
            restoring.withLock { $0 = nil }
            return .failure(error)
        }
    }

    /// Makes the one task that follows the journal. The task is cancelled by `deinit`.
    func followOnce(_ make: () -> Task<Void, Never>) {
        // The exchange decides which of two callers subscribes. Two followers would read each entry
        // twice.
        guard !isFollowed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let task = make()
        follower.withLock { $0 = task }
    }
}
