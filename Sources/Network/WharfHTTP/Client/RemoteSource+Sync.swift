public import WharfCore

extension RemoteSource {
    /// Returns this source with a request for the changes since a token.
    ///
    /// ```swift
    /// struct Delta: Decodable {
    ///     let notes: [Note], deleted: [Note.ID]
    ///     let token: String, more: Bool
    /// }
    ///
    /// let source = RemoteSource<Note>.http(client, at: "notes", payload: Note.self) { $0 }
    ///     .syncing(client) { token in
    ///         .get("notes/changes", query: token.map { ["since": $0] } ?? [])
    ///     } page: { (delta: Delta) in
    ///         SyncPage(
    ///             changed: delta.notes, removed: delta.deleted, nextToken: delta.token,
    ///             hasMore: delta.more)
    ///     }
    /// ```
    ///
    /// The HTTP cache is bypassed. A status of 410 means that the service no longer knows the
    /// token.
    ///
    /// - Parameters:
    ///   - request: the request for a token; a nil token asks for all models.
    ///   - page: maps an answer to a page. Its errors become ``ReadFailure/Code/unmappable``.
    public func syncing<Answer: Sendable>(
        _ client: APIClient, request: @escaping @Sendable (_ token: String?) -> Request<Answer>,
        page: @escaping @Sendable (Answer) throws -> SyncPage<Model>
    ) -> RemoteSource {
        syncing { token in await client.snapshot(request(token).map(page), mode: .bypass) }
    }
}
