internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// Commits what several lanes have settled at the same time in one commit: a disk is asked once for
/// all.
///
/// What comes while a commit is under way goes into the next. It runs in tasks of its own, so that
/// a lane that is cancelled breaks nothing off.
final class SharedCommits: Sendable {
    private struct Waiting {
        let parcel: Parcel
        let outcome: Promise<Result<Void, StoreError>>
    }

    private struct State {
        var waiting: [Waiting] = []
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

    /// Returns when it is on the disk, also for a task that is cancelled.
    ///
    /// - Returns: why nothing of it was committed, where it was not.
    func commit(_ parcel: Parcel) async -> Result<Void, StoreError> {
        let outcome = Promise<Result<Void, StoreError>>()
        let isFirst = state.withLock { state -> Bool? in
            guard !state.isClosed else { return nil }
            state.waiting.append(Waiting(parcel: parcel, outcome: outcome))
            defer { state.isCommitting = true }
            return !state.isCommitting
        }
        guard let isFirst else { return .failure(.engineClosed) }
        if isFirst { Task(executorPreference: executor) { [self] in await commitAll() } }
        return await outcome.wait()
    }

    /// Takes nothing more. What is under way is committed.
    func close() { state.withLock { $0.isClosed = true } }

    private func commitAll() async {
        var last = 0
        while true {
            // Most of those who were told just now are about to come again, where they are answered
            // at once: a commit of the few that were faster would keep all others waiting.
            if state.withLock({ $0.waiting.count }) < last / 2 { await Task.yield() }
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isCommitting = false }
                return state.waiting
            }
            if waiting.isEmpty { return }
            last = waiting.count
            await commit(waiting)
        }
    }

    private func commit(_ waiting: [Waiting]) async {
        switch await attempt(waiting.map(\.parcel)) {
        case .success: for each in waiting { each.outcome.fulfil(.success(())) }
        case .failure(let error) where waiting.count == 1: waiting[0].outcome.fulfil(.failure(error))
        // One that the store does not take must not keep the others.
        case .failure: for each in waiting { await commit([each]) }
        }
    }

    private func attempt(_ parcels: [Parcel]) async -> Result<Void, StoreError> {
        var parcels = parcels
        while true {
            do throws(StoreError) {
                var commit = parcels.commit
                try await commit.rewriteDependents(of: parcels.flatMap(\.assigned), in: store)
                try await store.commit(commit)
                return .success(())
            } catch {
                // Somebody else has committed. Dependents are looked at again. What merging has
                // made, or filling in, does not fit any more: the receiver is asked again, or the
                // entry is leased again.
                guard error.code == .changed, parcels.count == 1,
                    !parcels[0].assigned.isEmpty || !parcels[0].rewritten.isEmpty
                else { return .failure(error) }
                parcels[0].rewritten = []
            }
        }
    }
}

extension StoreError {
    static var engineClosed: StoreError {
        StoreError(
            .closed, message: "expected an open outbox, found that it was closed; make another over the same store")
    }
}
