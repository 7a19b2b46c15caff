internal import WharfCore
internal import WharfStorage

/// The changes that were set aside: refused, in conflict, or tried too often.
///
/// A person decides about them.
struct SetAsideChanges<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>
    let journal: PendingJournal<Model>

    var coding: ModelCoding<Model> { models.coding }
    var kind: EntityKind<Model> { models.kind }
    var pending: PendingChanges<Model> { models.pending }

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
        // Subscribed before the first look: a commit between the two is not lost.
        var notifications = journal.store.notifications().makeAsyncIterator()
        while true {
            let count = try await journal.queue.turn { [self] () throws(StoreError) in
                try await decideInTurn(id, decision)
            }
            if let count { return count }
            if await notifications.next() == nil { return 0 }
        }
    }

    /// Decides on the changes of a model in a turn of the queue.
    ///
    /// - Returns: nil if the journal does not have one of the refusals yet.
    private func decideInTurn(
        _ id: Model.ID, _ decision: @Sendable (inout Commit, [DeliveryID]) -> Void
    ) async throws(StoreError) -> Int? {
        try await journal.restore()
        // Another process may have added changes.
        try await journal.readNew()
        let given = kind.text(id)
        // The refused changes may lie under the id that the caller knows, or under the one that the
        // service gave.
        let isKnown = !pending.read { $0.refused(given) }.isEmpty
        let key = isKnown ? given : kind.text(try await journal.current(id))
        // Compared with the journal first: another process may have decided on some of them.
        for change in pending.read({ $0.refused(key) }) { try await journal.compare(change.entry) }
        let refused = pending.read { $0.refused(key) }
        // The service has refused one that the journal still has as open. A decision now would miss
        // it.
        guard refused.allSatisfy({ $0.phase == .dead }) else { return nil }
        guard !refused.isEmpty else { return 0 }
        var commit = Commit()
        decision(&commit, refused.map { DeliveryID($0.entry, to: coding.route.destination) })
        try await journal.store.commit(commit)
        for change in refused { try await journal.compare(change.entry) }
        return refused.count
    }
}
