internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

extension OutboxEngine {
    /// The number of failed commits of one settlement after which drains fail.
    static let mostFailuresOfDrain = 3

    /// The result of a commit.
    enum Commitment {
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
    func commit(_ answered: [Answered], under lease: Lease, isOver: Bool) async -> Commitment {
        var batch = SettlementBatch(released: isOver ? lease : nil)
        let destinations = state.withLock { $0.destinations }
        for each in answered {
            batch.add(each.outcome, of: each.attempt, each.answer, under: lease, among: destinations)
        }
        watches.note(batch.settled)
        let mayBePostponed = !isOver && answered.allSatisfy(\.mayBePostponed)
        let commitment = await settle([batch], mayBePostponed: mayBePostponed)
        guard commitment == .committed else { return commitment }
        watches.note(batch.settled)
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
    func settle(_ batches: [SettlementBatch], mayBePostponed: Bool = false) async -> Commitment {
        for batch in batches {
            var failures = 0
            while case .failure(let error) = await commits.commit(batch) {
                if mayBePostponed, error.code == .full { return .postponed }
                failures += 1
                guard await mayTryAgain(after: error, failures) else { return .failed }
            }
        }
        return .committed
    }

    private func mayTryAgain(after error: StoreError, _ failures: Int) async -> Bool {
        let isClosed = state.withLock { $0.schedule.isClosed } || Task.isCancelled
        let what = isClosed ? "its entries are delivered again" : "it is tried again"
        report(
            Incident(.journalFailed, message: "a settlement could not be committed; \(what): \(error)", cause: error))
        guard !isClosed else { return false }
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

extension Answered {
    /// Whether nothing but this delivery depends on the commit.
    fileprivate var mayBePostponed: Bool {
        if case .delivered = outcome { answer.assignedIDs.isEmpty } else { false }
    }
}
