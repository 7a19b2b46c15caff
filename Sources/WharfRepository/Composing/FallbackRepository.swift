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
        var answers = Answers<Value>(name: name)
        answers.first = await ask()
        guard answers.lacksValue, !Task.isCancelled else { return answers.first }
        answers.other = await askOther()
        return answers.shown
    }

    private func observe<Value: Sendable>(
        _ snapshots: SnapshotSequence<Value>, orElse others: @escaping @Sendable () -> SnapshotSequence<Value>
    ) -> SnapshotSequence<Value> {
        .merging(Answers<Value>(name: name), on: executor) { told in
            await withTaskGroup { group in
                var asksOther = false
                for await snapshot in snapshots {
                    var lacksValue = false
                    told.change { answers in
                        answers.first = snapshot
                        lacksValue = answers.lacksValue
                        return answers.shown
                    }
                    guard lacksValue, !asksOther else { continue }
                    asksOther = true
                    group.addTask {
                        for await snapshot in others() { told.change { $0.take(other: snapshot) } }
                    }
                }
                group.cancelAll()
            }
        }
    }
}

/// What two repositories have said to one question.
private struct Answers<Value: Sendable> {
    let name: String
    var first = Snapshot<Value>.awaited
    /// nil until it is asked.
    var other: Snapshot<Value>?

    /// That an answer is still awaited is no reason to show another.
    var lacksValue: Bool { first.kept == nil && first.error != nil }

    mutating func take(other snapshot: Snapshot<Value>) -> Snapshot<Value>? {
        other = snapshot
        return first.kept == nil ? shown : nil
    }

    var shown: Snapshot<Value> {
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
