/// Changes of a service since a token, and the token from which the next request goes on.
public struct SyncPage<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// Models that were added or changed, as they are now.
    public var changed: [Model]
    /// The ids of models that were removed.
    public var removed: [Model.ID]
    /// The token of the next request.
    public var nextToken: String
    /// Whether the service has more changes now.
    public var hasMore: Bool

    /// A page of changes.
    ///
    /// - Parameter nextToken: from which the next request goes on.
    public init(changed: [Model], removed: [Model.ID] = [], nextToken: String, hasMore: Bool = false) {
        self.changed = changed
        self.removed = removed
        self.nextToken = nextToken
        self.hasMore = hasMore
    }
}

extension RemoteSource {
    /// The changes since a token; all models for nil.
    public typealias Changes = @Sendable (_ token: String?) async -> Snapshot<SyncPage<Model>>

    /// The same source, which also tells what has changed since a token.
    ///
    /// - Parameter changes: a page of the changes. It asks the service each time. If the service no
    ///   longer knows the token, it answers with a status of 410 or ``ReadFailure/Code/gone``: then
    ///   all models are asked for again.
    public func syncing(_ changes: @escaping Changes) -> RemoteSource {
        var copy = self
        copy.changes = changes
        return copy
    }

    /// The same source, with a closure for its changes.
    ///
    /// An error that it throws is the failure of the sync.
    ///
    /// ```swift
    /// let source = RemoteSource<Note>(get: { id in try await sdk.note(id) }).syncing { token in
    ///     let delta = try await sdk.changes(since: token)
    ///     return SyncPage(changed: delta.notes, removed: delta.deletedIDs, nextToken: delta.token)
    /// }
    /// ```
    ///
    /// - Parameter clock: stamps each page with the moment when it came.
    public func syncing(
        clock: any WallClock = .system,
        _ changes: @escaping @Sendable (_ token: String?) async throws -> SyncPage<Model>
    ) -> RemoteSource {
        syncing { token in await Self.ask(.bypass, clock) { try await changes(token) } }
    }
}
