extension RemoteSource {
    /// The same source, which gives its lists by pages too.
    ///
    /// - Parameter page: one page. For ``CacheMode/storedOnly`` it must not touch the network.
    public func paged(_ page: @escaping Page) -> RemoteSource {
        var copy = self
        copy.page = page
        return copy
    }

    /// The same source, which asks this for each page and keeps nothing. What it throws is the
    /// failure of the read.
    ///
    /// ```swift
    /// let source = RemoteSource<User>(get: { id in try await sdk.user(id) }).paged { page in
    ///     let answer = try await sdk.users(cursor: page.token, count: page.size)
    ///     return Page(answer.users, next: answer.cursor.map(PageToken.cursor))
    /// }
    /// ```
    ///
    /// - Parameter clock: stamps each page with the moment when it came.
    public func paged(
        clock: any WallClock = .system,
        _ page: @escaping @Sendable (PageQuery<Model>) async throws -> WharfCore.Page<Model>
    ) -> RemoteSource {
        paged { question, mode in await Self.ask(mode, clock) { try await page(question) } }
    }

    /// The same source, whose list is read by pages, each behind the place where the one before
    /// ended: for services that understand ``EntityQuery`` whole. What is inserted or removed
    /// meanwhile moves no page.
    ///
    /// Without a list it is the source as it was.
    ///
    /// - Parameters:
    ///   - indexes: the fields that queries sort by.
    ///   - id: the text by which the service puts entities in order that are alike otherwise.
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
                guard let last = models.last, models.count >= question.size else {
                    return WharfCore.Page(models, next: nil)
                }
                var fields: [String: FieldValue] = [:]
                for index in indexes { fields[index.name] = index.read(last) }
                return WharfCore.Page(models, next: .after(query.rows.cursor(id: id(last.id), fields)))
            }
        }
    }
}

extension ReadFailure {
    /// A token of another way of paging, from an earlier version of the app for one.
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
