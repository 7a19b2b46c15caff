internal import WharfCore

struct FallbackRepository<First: ReadableRepository, Other: ReadableRepository<First.Model>>: ReadableRepository {
    typealias Model = First.Model

    let first: First
    let other: Other
    let name: String
    let executor: (any TaskExecutor)?

    func snapshot(id: Model.ID, policy: ReadPolicy?) async -> Snapshot<Model> {
        await read {
            await first.snapshot(id: id, policy: policy)
        } orElse: {
            await other.snapshot(id: id, policy: policy)
        }
    }

    func listSnapshot(_ query: EntityQuery<Model>, policy: ReadPolicy?) async -> Snapshot<[Model]> {
        await read {
            await first.listSnapshot(query, policy: policy)
        } orElse: {
            await other.listSnapshot(query, policy: policy)
        }
    }

    func observe(id: Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Model> {
        observe(first.observe(id: id, policy: policy)) { [other] in other.observe(id: id, policy: policy) }
    }

    func observeList(_ query: EntityQuery<Model>, policy: ReadPolicy?) -> SnapshotSequence<[Model]> {
        observe(first.observeList(query, policy: policy)) { [other] in other.observeList(query, policy: policy) }
    }

    private func read<Value>(
        _ ask: () async -> Snapshot<Value>, orElse askOther: () async -> Snapshot<Value>
    ) async -> Snapshot<Value> {
        var answers = FallbackAnswers<Value>(name: name)
        answers.first = await ask()
        guard answers.lacksValue, !Task.isCancelled else { return answers.first }
        answers.other = await askOther()
        return answers.shown
    }

    private func observe<Value: Sendable>(
        _ snapshots: SnapshotSequence<Value>, orElse others: @escaping @Sendable () -> SnapshotSequence<Value>
    ) -> SnapshotSequence<Value> {
        .merging(FallbackAnswers<Value>(name: name), on: executor) { [executor] merged in
            var following: Task<Void, Never>?
            for await snapshot in snapshots {
                // The step is decided under the lock and done outside of it: a cancellation may run
                // handlers that take other locks.
                var step: FallbackAnswers<Value>.Step?
                merged.change { answers in
                    step = answers.take(first: snapshot)
                    return answers.shown
                }
                switch step {
                case .followOther(let number):
                    following = Task(executorPreference: executor) {
                        for await snapshot in others() { merged.change { $0.take(other: snapshot, following: number) } }
                    }
                case .leaveOther: following?.cancel()
                case nil: break
                }
            }
            following?.cancel()
        }
    }
}

/// The answers of two repositories to one question.
private struct FallbackAnswers<Value: Sendable> {
    enum Step {
        /// The number is that of this time. An answer from an earlier time is late.
        case followOther(Int)
        case leaveOther
    }

    // Invariants for an observer: `other` is nil unless `isFollowing`, and `times` counts how often
    // a new observation of the other began.
    let name: String
    var first = Snapshot<Value>.awaited
    /// nil until the other repository is asked, and after it is left.
    var other: Snapshot<Value>?
    private var isFollowing = false
    private var times = 0

    init(name: String) { self.name = name }

    /// Whether the first repository has failed without a value.
    ///
    /// While its answer is awaited, no other answer is shown.
    var lacksValue: Bool { first.kept == nil && first.error != nil }

    mutating func take(first snapshot: Snapshot<Value>) -> Step? {
        first = snapshot
        // The first repository has a value again, so the other is no longer observed.
        if isFollowing, first.kept != nil {
            isFollowing = false
            other = nil
            return .leaveOther
        }
        guard !isFollowing, lacksValue else { return nil }
        isFollowing = true
        times += 1
        return .followOther(times)
    }

    mutating func take(other snapshot: Snapshot<Value>, following number: Int) -> Snapshot<Value>? {
        // The task of an earlier time may yield once more after its cancellation. Its snapshot must
        // not replace that of the present one.
        guard isFollowing, number == times else { return nil }
        other = snapshot
        return shown
    }

    var shown: Snapshot<Value> {
        // The own value always comes first, even if the other's is newer.
        guard first.kept == nil else { return first }
        guard let other else {
            return Snapshot(kept: nil, error: first.error, fetch: lacksValue ? .refreshing : first.fetch)
        }
        guard let kept = other.kept else {
            let fetch = first.fetch == .idle ? other.fetch : first.fetch
            return Snapshot(kept: nil, error: first.error?.with(other: other.error) ?? other.error, fetch: fetch)
        }
        let named = kept.with(kept.value, remote: name).pending(kept.isPending)
        return Snapshot(kept: named, error: first.error ?? other.error, fetch: first.fetch)
    }
}
