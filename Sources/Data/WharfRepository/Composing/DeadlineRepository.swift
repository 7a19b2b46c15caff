internal import WharfCore

struct DeadlineRepository<Base: ReadableRepository>: ReadableRepository {
    private enum ReadKey: Hashable, Sendable {
        case one(Base.Model.ID, ReadPolicy?)
        case list(EntityQuery<Base.Model>, ReadPolicy?)
    }

    private let base: Base
    private let timeout: Duration
    private let clock: any WallClock
    private let timer: any Clock<Duration>
    private let executor: (any TaskExecutor)?
    private let late: LateReads<ReadKey>

    init(
        base: Base, timeout: Duration, clock: any WallClock, timer: any Clock<Duration>, executor: (any TaskExecutor)?
    ) {
        (self.base, self.timeout, self.clock, self.timer, self.executor) = (base, timeout, clock, timer, executor)
        late = LateReads(executor: executor)
    }

    func snapshot(id: Base.Model.ID, policy: ReadPolicy?) async -> Snapshot<Base.Model> {
        await read(.one(id, policy), policy) { [base] in await base.snapshot(id: id, policy: $0) }
    }

    func listSnapshot(_ query: EntityQuery<Base.Model>, policy: ReadPolicy?) async -> Snapshot<[Base.Model]> {
        await read(.list(query, policy), policy) { [base] in await base.listSnapshot(query, policy: $0) }
    }

    func observe(id: Base.Model.ID, policy: ReadPolicy?) -> SnapshotSequence<Base.Model> {
        observe(base.observe(id: id, policy: policy))
    }

    func observeList(_ query: EntityQuery<Base.Model>, policy: ReadPolicy?) -> SnapshotSequence<[Base.Model]> {
        observe(base.observeList(query, policy: policy))
    }

    private func read<Value: Sendable>(
        _ question: ReadKey, _ policy: ReadPolicy?,
        _ ask: @escaping @Sendable (ReadPolicy?) async -> Snapshot<Value>
    ) async -> Snapshot<Value> {
        // A read of the store alone needs no deadline, and for a cancelled caller the base gives
        // the error.
        guard policy != .cacheOnly, !Task.isCancelled else { return await ask(policy) }
        let deadline = Deadline(after: timeout, on: timer)
        let (answers, continuation) = AsyncStream.makeStream(of: Snapshot<Value>.self)
        // Unstructured, because the read goes on after the deadline. A child task would make the
        // group wait for it.
        let reading = Task(executorPreference: executor) {
            let answer = await ask(policy)
            continuation.yield(answer)
            continuation.finish()
            return answer
        }
        let answer = await withTaskGroup(of: Snapshot<Value>?.self) { group in
            // The answer comes by a stream, which a cancelled child leaves at once. `reading.value`
            // can't be left.
            group.addTask { await answers.first { _ in true } }
            group.addTask {
                _ = await deadline.hasCome()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if let answer { return answer }
        // The group also ends without an answer if the caller was cancelled. No caller waits for
        // this read then, so it is cancelled.
        guard !Task.isCancelled else {
            reading.cancel()
            return await reading.value
        }
        late.leave(reading, under: question)
        return await standIn(policy, ask)
    }

    private func standIn<Value>(
        _ policy: ReadPolicy?, _ ask: (ReadPolicy?) async -> Snapshot<Value>
    ) async -> Snapshot<Value> {
        let failure = ReadFailure.late(after: timeout)
        // `networkOnly` readers never receive a stale fallback, however late the answer is.
        guard policy?.fallsBack != false else { return Snapshot(kept: nil, error: failure, fetch: .refreshing) }
        let stored = await ask(.cacheOnly)
        // A stale value with `must-revalidate` must not stand in for the origin (RFC 9111
        // §5.2.2.2).
        let mayStandIn =
            stored.kept.map { $0.response?.forbidsStaleUse != true || $0.isFresh(at: clock.now()) } ?? false
        return Snapshot(
            kept: mayStandIn ? stored.kept : nil, error: failure.with(other: stored.error), fetch: .refreshing)
    }

    private func observe<Value: Sendable>(_ snapshots: SnapshotSequence<Value>) -> SnapshotSequence<Value> {
        .merging(FirstRefresh<Value>(), on: executor) { [timeout, timer] merged in
            let deadline = Deadline(after: timeout, on: timer)
            await withTaskGroup { group in
                group.addTask {
                    guard await deadline.hasCome() else { return }
                    merged.change { $0.isLate(.late(after: timeout)) }
                }
                // The observer goes on after the deadline, so this loop is outside of the child
                // task.
                for await snapshot in snapshots { merged.change { $0.take(snapshot) } }
                group.cancelAll()
            }
        }
    }
}

/// The state of an observer's first refresh.
private struct FirstRefresh<Value: Sendable> {
    private var kept: Snapshot<Value>.Kept?
    private var isOver = false

    mutating func take(_ snapshot: Snapshot<Value>) -> Snapshot<Value> {
        kept = snapshot.kept
        isOver = isOver || snapshot.fetch != .refreshing
        return snapshot
    }

    mutating func isLate(_ failure: ReadFailure) -> Snapshot<Value>? {
        isOver ? nil : Snapshot(kept: kept, error: failure, fetch: .refreshing)
    }
}

extension Deadline {
    /// Waits for the deadline.
    ///
    /// - Returns: false if the task was cancelled before.
    fileprivate func hasCome() async -> Bool {
        do {
            try await wait()
            return true
        } catch {
            return false
        }
    }
}

extension ReadFailure {
    fileprivate static func late(after timeout: Duration) -> ReadFailure {
        ReadFailure(
            .timedOut,
            message: "no answer came within \(timeout); the request goes on: read again, or observe")
    }
}
