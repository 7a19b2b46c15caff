public import WharfCore

/// The outcome of a sync.
public struct SyncResult: Hashable, Sendable {
    /// How many models were put into the store.
    public var changed: Int
    /// How many models were removed from the store.
    public var removed: Int
    /// When the service gave the last of the changes.
    public var asOf: WallTime

    public init(changed: Int, removed: Int, asOf: WallTime) {
        self.changed = changed
        self.removed = removed
        self.asOf = asOf
    }
}

extension Repository {
    /// Brings the store up to date with what has changed at the service since the last sync.
    ///
    /// The first sync asks for all models. Later ones ask for the changes since a token, which the
    /// store keeps with the models. So the store has all models, and
    /// ``Repository/observeStoredList(_:)`` shows them, filtered and searched, without the network.
    ///
    /// ```swift
    /// try await notes.sync()
    /// for await snapshot in notes.observeStoredList(.init().sorted(by: Note.title)) { show(snapshot) }
    /// ```
    ///
    /// - Each page and its token are one commit. A sync that was interrupted, also by a kill, goes
    ///   on with the page that it lacks.
    /// - Pending changes of the app stay over the models. A newer answer of the service is not
    ///   replaced.
    /// - If the service no longer knows the token (410), all models are asked for. Those that it
    ///   does not have any more are removed after the last page.
    /// - Calls run one after the other; two processes over one store do not disturb each other.
    /// - An evicted model does not come back with later syncs: leave the models of a synced kind in
    ///   the store.
    ///
    /// - Throws: the failure of the request or of the store; pages that were committed stay.
    ///   ``WharfCore/ReadFailure/Code/unsupported`` for a source without
    ///   ``WharfCore/RemoteSource/syncing(_:)``, for a repository without a store, and for answers
    ///   with `no-store`.
    @discardableResult
    public func sync() async throws(ReadFailure) -> SyncResult {
        if isClosed { throw .closed }
        guard let stored else { throw .noStore }
        return try await ModelSync(models: stored).run()
    }
}
