internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

extension OutboxEngine {
    /// - Returns: false where it could not be committed.
    func commit(_ answered: [Answered], under lease: Lease, isOver: Bool) async -> Bool {
        var parcel = Parcel(released: isOver ? lease : nil)
        let destinations = state.withLock { $0.destinations }
        for each in answered {
            parcel.add(each.consequence, of: each.attempt, each.answer, under: lease, among: destinations)
        }
        watches.note(parcel.settled)
        guard await settle([parcel]) else { return false }
        watches.note(parcel.settled)
        readers.tell { answered.compactMap { .settling($0.consequence, $0.attempt) } }
        state.withLock { state in
            var index = state.drains.startIndex
            while index != state.drains.endIndex {
                state.drains.values[index].count(answered.map(\.consequence))
                state.drains.formIndex(after: &index)
            }
        }
        return true
    }

    /// Commits what was settled; while the store fails, again and again.
    ///
    /// - Returns: false where the engine was closed, or the lease was lost, before it could be committed: the journal has it as
    ///   it was before.
    @discardableResult
    func settle(_ parcels: [Parcel]) async -> Bool {
        for parcel in parcels {
            var failures = 0
            while case .failure(let error) = await commits.commit(parcel) {
                failures += 1
                guard await mayTryAgain(after: error, failures) else { return false }
            }
        }
        return true
    }

    private func mayTryAgain(after error: StoreError, _ failures: Int) async -> Bool {
        let isClosed = state.withLock { $0.schedule.isClosed } || Task.isCancelled
        let what = isClosed ? "what was not committed is delivered again" : "it is tried again"
        report(
            Incident(.journalFailed, message: "a settlement could not be committed; \(what): \(error)", cause: error))
        guard !isClosed else { return false }
        let pause = random.draw { Backoff.store.delay(afterFailures: failures, using: &$0) }
        do {
            try await timer.sleep(for: pause)
            return true
        } catch {
            return false
        }
    }
}
