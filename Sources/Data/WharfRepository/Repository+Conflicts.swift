public import WharfCore

/// Conflicts of changes that waited in an outbox.
///
/// The kind's own merge (`EntityKind.merging`) is asked first; a person decides
/// about the rest.
extension Repository {
    /// Returns the changes that were set aside because of another writer's change.
    ///
    /// Both have changed the same model. The oldest change comes first.
    /// ``WharfCore/WriteConflict/theirs`` is the model in the store now.
    ///
    /// ```swift
    /// for conflict in try await notes.conflicts() {
    ///     try await notes.resolve(conflict, with: show(conflict.mine, conflict.theirs) ? .mine : .theirs)
    /// }
    /// ```
    ///
    /// - Complexity: every dead letter of the account is read.
    public func conflicts() async throws(StoreError) -> [WriteConflict<Model>] {
        try await stored?.outbox?.setAside.conflicts() ?? []
    }

    /// Settles one of ``conflicts()``, in one commit.
    ///
    /// The change that is sent instead takes the place of the old one, before later changes, and
    /// has a new idempotency key. Changes that depend on the old one depend on the new one.
    ///
    /// - Throws: ``WharfCore/WriteFailure/Code/notFound`` if the conflict was settled meanwhile, or
    ///   if it would replace a model that this process has not seen.
    public func resolve(
        _ conflict: WriteConflict<Model>, with resolution: WriteConflict<Model>.Resolution
    ) async throws(WriteFailure) {
        guard !models.isClosed else { throw .closed }
        let stored = try writable
        guard let outbox = stored.outbox else { throw .settled(stored.coding.kind.name) }
        try await outbox.setAside.resolve(conflict, with: resolution)
    }
}

extension WriteConflict {
    /// The decision of a person.
    public enum Resolution: Sendable {
        /// Sends mine, made on theirs. A member that only the other client has changed stays as it
        /// is; of a member that both have changed, mine is sent. If theirs was deleted, it adds
        /// mine again.
        ///
        /// Waiting changes that were made on mine are no conflicts then. If the service gives
        /// strong entity tags and theirs has changed since ``Repository/conflicts()`` was read, the
        /// result is another conflict.
        case mine
        /// Gives mine up. With an addition, it gives up the changes that depend on it as well.
        case theirs
        /// Sends a merge of both, as ``mine`` is sent.
        ///
        /// Waiting changes that were made on mine may be in conflict with it.
        case merged(Model)
    }
}
