internal import WharfCore
internal import WharfStorage

// Decisions of a person about changes that were set aside.
extension StoredModels {
    /// Decides on the changes of a model that were set aside.
    ///
    /// A receipt may tell a caller of a refusal before the journal has it. This waits for the
    /// journal.
    ///
    /// - Parameter decision: adds the deliveries of the changes to the commit. They come in the
    ///   order of the changes.
    /// - Returns: the number of changes.
    func decide(
        onDeadOf id: Model.ID, _ decision: @escaping @Sendable (inout Commit, [DeliveryID]) -> Void
    ) async throws(StoreError) -> Int {
        guard let journal else { return 0 }
        // Subscribed before the first look: a commit between the two is not lost.
        var notifications = journal.store.notifications().makeAsyncIterator()
        while true {
            let count = try await queue.turn { [self] in await decideInTurn(id, decision, in: journal) }.get()
            if let count { return count }
            if await notifications.next() == nil { return 0 }
        }
    }

    /// Decides on the changes of a model in a turn of the queue.
    ///
    /// - Returns: nil if the journal does not have one of the refusals yet.
    private func decideInTurn(
        _ id: Model.ID, _ decision: @Sendable (inout Commit, [DeliveryID]) -> Void, in journal: PendingJournal
    ) async -> Result<Int?, StoreError> {
        do throws(StoreError) {
            try await restoreWaiting()
            // Another process may have added changes.
            try await readNew(in: journal)
            let given = kind.text(id)
            // The refused changes may lie under the id that the caller knows, or under the one that
            // the service gave.
            let key = pending.read({ $0.refused(given) }).isEmpty ? kind.text(try await current(id)) : given
            // Compared with the journal first: another process may have decided on some of them.
            for change in pending.read({ $0.refused(key) }) { try await compare(change.entry, in: journal) }
            let refused = pending.read { $0.refused(key) }
            // The service has refused one that the journal still has as open. A decision now would
            // miss it.
            guard refused.allSatisfy({ $0.phase == .dead }) else { return .success(nil) }
            guard !refused.isEmpty else { return .success(0) }
            var commit = Commit()
            decision(&commit, refused.map { DeliveryID($0.entry, to: route.destination) })
            try await journal.store.commit(commit)
            for change in refused { try await compare(change.entry, in: journal) }
            return .success(refused.count)
        } catch {
            return .failure(error)
        }
    }
}
