public import WharfCore

// Of repositories whose changes wait in an outbox. A kind that merges by itself (`EntityKind.merging`) is asked first.
extension StoredRepository {
    /// Changes that were set aside because somebody else has changed the same, the oldest first.
    ///
    /// ```swift
    /// for conflict in try await notes.conflicts() {
    ///     try await notes.resolve(conflict, with: show(conflict.mine, conflict.theirs) ? .mine : .theirs)
    /// }
    /// ```
    ///
    /// Theirs is what the store has by now, where it has the model.
    ///
    /// - Complexity: every dead letter of the account is read.
    public func conflicts() async throws(StoreError) -> [WriteConflict<Model>] { try await stored.conflicts() }

    /// Settles one of ``conflicts()`` in one commit: what is sent in its place comes behind what waits of the model, under a new
    /// key.
    ///
    /// - Throws: ``WharfCore/WriteFailure/Code/notFound`` where somebody has settled it meanwhile.
    public func resolve(
        _ conflict: WriteConflict<Model>, with resolution: WriteConflict<Model>.Resolution
    ) async throws(WriteFailure) {
        guard !models.isClosed else { throw .closed }
        try await stored.resolve(conflict, with: resolution)
    }
}

extension WriteConflict {
    /// What a person makes of it.
    public enum Resolution: Sendable {
        /// Sends mine, in the place of theirs: the whole model, so that newer changes of one's own which wait are reverted by it.
        /// Where somebody has changed it since ``StoredRepository/conflicts()`` was read, that is a conflict again.
        case mine
        /// Gives mine up.
        case theirs
        /// Sends what was made of both, in the place of theirs.
        case merged(Model)
    }
}
