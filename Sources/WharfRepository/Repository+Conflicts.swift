public import WharfCore

// Of repositories whose changes wait in an outbox. A kind that merges by itself (`EntityKind.merging`) is asked first.
extension Repository {
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
    public func conflicts() async throws(StoreError) -> [WriteConflict<Model>] {
        try await stored?.conflicts() ?? []
    }

    /// Settles one of ``conflicts()`` in one commit: what is sent instead has its place, before what was made since, and a new key.
    /// What waits for it goes on to wait for that.
    ///
    /// - Throws: ``WharfCore/WriteFailure/Code/notFound`` where somebody has settled it meanwhile, and where theirs would be replaced
    ///   that nobody here has seen.
    public func resolve(
        _ conflict: WriteConflict<Model>, with resolution: WriteConflict<Model>.Resolution
    ) async throws(WriteFailure) {
        guard !models.isClosed else { throw .closed }
        try await writable.resolve(conflict, with: resolution)
    }
}

extension WriteConflict {
    /// What a person makes of it.
    public enum Resolution: Sendable {
        /// Sends mine, the whole model, in the place of theirs; where that was deleted, adds it again. What waits that was made on mine is
        /// no conflict then. Where somebody has changed theirs since ``Repository/conflicts()`` was read, that is one again,
        /// if the service gives strong entity tags.
        case mine
        /// Gives mine up, and with an addition what waits for that.
        case theirs
        /// Sends what was made of both, as ``mine`` is sent. What waits that was made on mine may be in conflict with that.
        case merged(Model)
    }
}
