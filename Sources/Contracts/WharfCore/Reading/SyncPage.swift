/// The changes of a service since a token, with the token of the next request.
public struct SyncPage<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// The models that were added or changed, in their present state.
    public var changed: [Model]
    /// The ids of models that were removed.
    public var removed: [Model.ID]
    /// The token of the next request.
    public var nextToken: String
    /// Whether the service has more changes now.
    public var hasMore: Bool

    /// Creates a page of changes.
    ///
    /// - Parameter nextToken: the token at which the next request continues.
    public init(changed: [Model], removed: [Model.ID] = [], nextToken: String, hasMore: Bool = false) {
        self.changed = changed
        self.removed = removed
        self.nextToken = nextToken
        self.hasMore = hasMore
    }
}

extension RemoteSource {
    /// Reads the changes since a token; for nil, all models.
    public typealias Changes = @Sendable (_ token: String?) async -> Snapshot<SyncPage<Model>>

    /// Returns a copy of this source that also reads the changes since a token.
    ///
    /// - Parameter changes: reads a page of changes. It asks the service at each call. If the
    ///   service no longer knows the token, it answers with a status of 410 or
    ///   ``ReadFailure/Code/gone``. All models are then read again.
    public func syncing(_ changes: @escaping Changes) -> RemoteSource {
        var copy = self
        copy.changes = changes
        return copy
    }

    /// Returns a copy of this source that reads its changes with a closure.
    ///
    /// An error that the closure throws is the failure of the sync.
    ///
    /// ```swift
    /// let source = RemoteSource<Note>(get: { id in try await sdk.note(id) }).syncing { token in
    ///     let delta = try await sdk.changes(since: token)
    ///     return SyncPage(changed: delta.notes, removed: delta.deletedIDs, nextToken: delta.token)
    /// }
    /// ```
    ///
    /// - Parameter clock: gives the time at which each page arrived.
    public func syncing(
        clock: any WallClock = .system,
        _ changes: @escaping @Sendable (_ token: String?) async throws -> SyncPage<Model>
    ) -> RemoteSource {
        syncing { token in await Self.ask(.bypass, clock) { try await changes(token) } }
    }
}
