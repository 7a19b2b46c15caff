internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension OutboxEngine {
    /// The number of failed commits of one settlement after which drains fail.
    static let mostFailuresOfDrain = 3

    /// The result of a commit.
    enum SettleResult {
        case committed
        /// The disk is full. The settlements are committed together with the next ones.
        case postponed
        /// The engine was closed, or the lease was lost. The journal is unchanged.
        case failed
    }

    /// Commits the consequences of a lane's answers.
    ///
    /// - Parameter isOver: whether the lease is released with it. Otherwise a full disk may
    ///   postpone the commit.
    func commit(_ answered: [AnsweredAttempt], under lease: Lease, isOver: Bool) async -> SettleResult {
        var batch = SettlementBatch(released: isOver ? lease : nil)
        // A copy: the destinations may be replaced while the settlement waits for its commit.
        let destinations = state.withLock { $0.destinations }
        for each in answered {
            batch.add(each.outcome, of: each.attempt, each.answer, under: lease, among: destinations)
        }
        let mayBePostponed = !isOver && answered.allSatisfy(\.mayBePostponed)
        let result = await settle([batch], mayBePostponed: mayBePostponed)
        guard result == .committed else { return result }
        // Again after the commit, so that callers that looked before it look once more.
        outcomeObservers.record(batch.settled)
        // After the commit: an event for a delivery that a crash undoes would be counted twice.
        readers.tell { answered.compactMap { .settling($0.outcome, $0.attempt) } }
        state.withLock { state in
            var index = state.drains.startIndex
            while index != state.drains.endIndex {
                state.drains.values[index].count(answered.map(\.outcome))
                state.drains.formIndex(after: &index)
            }
        }
        return .committed
    }

    /// Commits settlements, with backoff while the store fails.
    ///
    /// - Parameter mayBePostponed: whether to return when the disk is full.
    @discardableResult
    func settle(_ batches: [SettlementBatch], mayBePostponed: Bool = false) async -> SettleResult {
        for batch in batches {
            var failures = 0
            while true {
                // Before the commit: it may remove the record, and a caller that looks then finds
                // the outcome only here.
                outcomeObservers.record(batch.settled)
                guard case .failure(let error) = await commits.commit(batch) else { break }
                // The backoff may be long. Meanwhile another engine may settle the entry in another
                // way and remove the record.
                outcomeObservers.withdraw(batch.settled)
                // A full disk may stay full for hours. Only deliveries are postponed: if one is
                // lost, its entry is sent again with the same key.
                if mayBePostponed, error.code == .full { return .postponed }
                failures += 1
                guard await mayTryAgain(after: error, failures) else { return .failed }
            }
        }
        return .committed
    }

    private func mayTryAgain(after error: StoreError, _ failures: Int) async -> Bool {
        // A closed engine must not wait for the backoff. The lease runs out, and the entries are
        // delivered again with their keys.
        let isClosed = state.withLock { $0.schedule.isClosed } || Task.isCancelled
        let what = isClosed ? "its entries are delivered again" : "the outbox tries again"
        report(
            Incident(.journalFailed, message: "a settlement could not be committed; \(what): \(error)", cause: error))
        guard !isClosed else { return false }
        // A background task has little time, so its drain fails while the settlement is still tried
        // again.
        if failures >= Self.mostFailuresOfDrain {
            for drain in state.withLock({ $0.drains.values.map(\.end) }) { drain.fulfil(.failed(error)) }
        }
        let pause = random.draw { Backoff.store.delay(afterFailures: failures, using: &$0) }
        do {
            try await timer.sleep(for: pause)
            return true
        } catch {
            return false
        }
    }
}

extension AnsweredAttempt {
    /// Whether nothing but this delivery depends on the commit.
    fileprivate var mayBePostponed: Bool {
        if case .delivered = outcome { answer.assignedIDs.isEmpty } else { false }
    }
}
