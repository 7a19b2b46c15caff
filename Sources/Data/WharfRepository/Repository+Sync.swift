public import WharfCore

/// The outcome of a sync.
public struct SyncResult: Hashable, Sendable {
    /// The number of models that were put into the store.
    public var changedCount: Int
    /// The number of models that were removed from the store.
    public var removedCount: Int
    /// When the service gave the last of the changes.
    public var asOf: WallTime

    /// Makes the outcome of a sync.
    public init(changedCount: Int, removedCount: Int, asOf: WallTime) {
        self.changedCount = changedCount
        self.removedCount = removedCount
        self.asOf = asOf
    }
}

extension Repository {
    /// Brings the store up to date with the changes of the service.
    ///
    /// The first sync asks for all models. Later ones ask for the changes since a token, which the
    /// store keeps with the models. ``observeStoredList(_:)`` then shows all models without the
    /// network.
    ///
    /// ```swift
    /// try await notes.sync()
    /// for await snapshot in notes.observeStoredList() { show(snapshot) }
    /// ```
    ///
    /// - Each page and its token are one commit. A sync that was interrupted, even by a kill, goes
    ///   on with the page that it lacks.
    /// - A sync of all models removes the stored models that no page has brought, after the last
    ///   page. It is the first one, and the one after the service has answered 410 to the token.
    /// - Pending changes of the app stay over the models. A newer answer of the service is not
    ///   replaced.
    /// - Calls run one after the other. A page that another process has overtaken is not committed.
    /// - An evicted model does not come back with later syncs: leave the models of a synced kind in
    ///   the store.
    ///
    /// - Throws: the failure of the request or of the store; pages that were committed stay.
    ///   - ``WharfCore/ReadFailure/Code/unsupported`` for a source without
    ///     ``WharfCore/RemoteSource/syncing(_:)``, for a repository without a store, and for
    ///     answers with `no-store`.
    ///   - ``WharfCore/ReadFailure/Code/endlessPages`` if the service has more changes, and gives
    ///     the token that it was asked with.
    ///   - ``WharfCore/ReadFailure/Code/cancelled`` and ``WharfCore/ReadFailure/Code/closed``.
    @discardableResult
    public func sync() async throws(ReadFailure) -> SyncResult {
        if isClosed { throw .closed }
        guard let stored else { throw .noStore }
        return try await stored.sync.run()
    }
}
