internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// Group commit: settlements of several lanes share one commit of the store.
///
/// Settlements that arrive during a commit go into the next one. The commits run in their own
/// tasks, so the cancellation of a lane does not interrupt them.
final class GroupCommit: Sendable {
    private struct WaitingBatch {
        let batch: SettlementBatch
        let outcome: Promise<Result<Void, StoreError>>
    }

    private struct State {
        // Invariants while the lock is free: at most one task commits; `waiting` is empty unless
        // `isCommitting`.
        var waiting: [WaitingBatch] = []
        var isCommitting = false
        var isClosed = false
    }

    private let store: any WriteStore
    private let executor: (any TaskExecutor)?
    private let state = Mutex(State())

    init(_ store: any WriteStore, executor: (any TaskExecutor)?) {
        self.store = store
        self.executor = executor
    }

    /// Returns when the batch is on the disk, even if the calling task is cancelled.
    ///
    /// - Returns: a failure if nothing of it was committed.
    func commit(_ batch: SettlementBatch) async -> Result<Void, StoreError> {
        let outcome = Promise<Result<Void, StoreError>>()
        let isFirst = state.withLock { state -> Bool? in
            guard !state.isClosed else { return nil }
            state.waiting.append(WaitingBatch(batch: batch, outcome: outcome))
            defer { state.isCommitting = true }
            return !state.isCommitting
        }
        guard let isFirst else { return .failure(.engineClosed) }
        // A task of its own: the lane that happened to be first may be cancelled while others wait
        // for this commit.
        if isFirst { Task(executorPreference: executor) { [self] in await commitAll() } }
        // Cancellation does not end this wait: the lane must know whether its delivery is on the
        // disk.
        return await outcome.wait()
    }

    /// Accepts no more batches. A commit in progress finishes.
    func close() { state.withLock { $0.isClosed = true } }

    private func commitAll() async {
        var last = 0
        while true {
            // The lanes of the last commit may settle again at once. Yielding lets them join this
            // commit; otherwise the few faster ones would make them wait for a whole commit.
            if state.withLock({ $0.waiting.count }) < last / 2 { await Task.yield() }
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                // Cleared in the step that finds nothing. A batch that is added after it starts a
                // new task; in two steps it would have none.
                if state.waiting.isEmpty { state.isCommitting = false }
                return state.waiting
            }
            if waiting.isEmpty { return }
            last = waiting.count
            await commit(waiting)
        }
    }

    private func commit(_ waiting: [WaitingBatch]) async {
        switch await attempt(waiting.map(\.batch)) {
        case .success: for each in waiting { each.outcome.fulfil(.success(())) }
        case .failure(let error) where waiting.count == 1: waiting[0].outcome.fulfil(.failure(error))
        // One batch that the store rejects must not fail the others, so each is committed alone.
        case .failure: for each in waiting { await commit([each]) }
        }
    }

    private func attempt(_ batches: [SettlementBatch]) async -> Result<Void, StoreError> {
        var batches = batches
        while true {
            do throws(StoreError) {
                var commit = batches.commit
                try await commit.rewriteDependents(of: batches.flatMap(\.assigned), in: store)
                try await store.commit(commit)
                return .success(())
            } catch {
                // Another commit has changed the journal since it was read. The dependents are read
                // again. The merged or filled-in payload is dropped as stale: the receiver is
                // called again, or the entry is leased again.
                guard error.code == .changed, batches.count == 1,
                    !batches[0].assigned.isEmpty || !batches[0].rewritten.isEmpty
                else { return .failure(error) }
                batches[0].rewritten = []
            }
        }
    }
}

extension StoreError {
    static var engineClosed: StoreError {
        StoreError(
            .closed, message: "the outbox was closed; make another over the same store")
    }
}
