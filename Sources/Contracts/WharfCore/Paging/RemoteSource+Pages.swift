extension RemoteSource {
    /// Returns a copy of this source that also reads its lists by page.
    ///
    /// - Parameter page: reads one page. For ``CacheMode/storedOnly`` it must not use the network.
    public func paged(_ page: @escaping Page) -> RemoteSource {
        var copy = self
        copy.page = page
        return copy
    }

    /// Returns a copy of this source that reads each page with a closure.
    ///
    /// The source stores no pages. An error that the closure throws is the failure of the read.
    ///
    /// ```swift
    /// let source = RemoteSource<User>(get: { id in try await sdk.user(id) }).paged { page in
    ///     let answer = try await sdk.users(cursor: page.token, count: page.size)
    ///     return Page(answer.users, next: answer.cursor.map(PageToken.cursor))
    /// }
    /// ```
    ///
    /// - Parameter clock: gives the time at which each page arrived.
    public func paged(
        clock: any WallClock = .system,
        _ page: @escaping @Sendable (PageQuery<Model>) async throws -> WharfCore.Page<Model>
    ) -> RemoteSource {
        paged { question, mode in await Self.ask(mode, clock) { try await page(question) } }
    }

    /// Returns a copy of this source that pages by position in the order of the query.
    ///
    /// Each page starts after the last item of the previous one, so an insertion or removal in
    /// between moves no page. Use it for services that understand all of ``EntityQuery``. A source
    /// without a list is returned unchanged.
    ///
    /// - Parameters:
    ///   - indexes: the fields that queries sort by.
    ///   - id: returns the text by which the service orders entities with equal sort fields.
    public func pagedByPlace(
        _ indexes: [EntityIndex<Model>], id: @escaping @Sendable (Model.ID) -> String
    ) -> RemoteSource {
        guard let list else { return self }
        return paged { question, mode in
            var query = question.query.limit(question.size)
            if let token = question.token {
                guard case .after(let cursor) = token else {
                    return Snapshot(
                        kept: nil, error: .foreignToken(token, expected: "a place in the order of the query"))
                }
                query = query.after(cursor)
            }
            let answer = await list(query, mode)
            return answer.map { models in
                // A page that is not full is the last one.
                guard let last = models.last, models.count >= question.size else {
                    return WharfCore.Page(models, next: nil)
                }
                var fields: [String: FieldValue] = [:]
                // The position of the last item, by the fields that the query may sort by.
                for index in indexes { fields[index.name] = index.read(last) }
                return WharfCore.Page(models, next: .after(query.rows.cursor(id: id(last.id), fields)))
            }
        }
    }
}

extension ReadFailure {
    /// Returns the failure for a token of another kind, such as an old app's token.
    package static func foreignToken(_ token: PageToken, expected: String) -> ReadFailure {
        let found =
            switch token {
            case .offset: "an offset"
            case .number: "a page number"
            case .cursor: "a cursor of the service"
            case .link: "a link"
            case .after: "a place in the order of the query"
            }
        return ReadFailure(
            .invalidRequest,
            message: "expected \(expected) as the token of a page, found \(found); refresh the list from its first page"
        )
    }
}
