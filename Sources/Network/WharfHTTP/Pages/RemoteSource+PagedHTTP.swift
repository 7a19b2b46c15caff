public import WharfCore

extension RemoteSource {
    /// Returns this source with paged lists, from a service that answers with an array.
    ///
    /// ```swift
    /// let source = RemoteSource<Note>.http(client, at: "notes", payload: Note.self) { $0 }
    ///     .paged(client, by: .number()) { _ in .get("notes") }
    /// ```
    ///
    /// - Parameter list: the request for the whole list. The items that select a page are added to
    ///   it.
    public func paged(
        _ client: APIClient, by scheme: PagingScheme,
        list: @escaping @Sendable (EntityQuery<Model>) -> Request<[Model]>
    ) -> RemoteSource {
        paged { question, mode in
            do throws(ReadFailure) {
                let request = try scheme.request(
                    list(question.query), size: question.size, token: question.token, client)
                let head = try client.addressed(request).head
                let answer = await client.snapshot(request, mode: mode)
                guard let kept = answer.kept else { return Snapshot(kept: nil, error: answer.error) }
                // The link is relative to the page, not to the list.
                let next = try scheme.next(
                    behind: kept.value.count, token: question.token, kept.response, to: head)
                return Snapshot(kept: kept.with(WharfCore.Page(kept.value, next: next)), error: answer.error)
            } catch {
                return Snapshot(kept: nil, error: error)
            }
        }
    }

    /// Returns this source with paged lists, from a service that answers with a cursor.
    ///
    /// The answer is an envelope that holds the items and the cursor of the next page.
    ///
    /// ```swift
    /// .paged(client, cursor: "after", size: "first") { _ in .get("notes") } page: { (envelope: Envelope) in
    ///     (envelope.notes, envelope.nextCursor)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the query item for the cursor.
    ///   - size: the query item for the number of items of a page.
    ///   - list: the request for the whole list. The items that select a page are added to it.
    ///   - page: returns the items and the next cursor, nil or empty after the last page. Its
    ///     errors become ``WharfCore/ReadFailure/Code/unmappable``.
    public func paged<Envelope>(
        _ client: APIClient, cursor name: String = "cursor", size: String = "limit",
        list: @escaping @Sendable (EntityQuery<Model>) -> Request<Envelope>,
        page: @escaping @Sendable (Envelope) throws -> (items: [Model], next: String?)
    ) -> RemoteSource {
        paged { question, mode in
            var request = list(question.query)
            switch question.token {
            case nil: break
            case .cursor(let cursor): request.query.items.append(QueryItem(name, cursor))
            case let token?:
                return Snapshot(kept: nil, error: .foreignToken(token, expected: "a cursor of the service"))
            }
            request.query.items.append(QueryItem(size, "\(question.size)"))
            let pages = request.map { envelope in
                let (items, next) = try page(envelope)
                return WharfCore.Page(items, next: next.flatMap { $0.isEmpty ? nil : .cursor($0) })
            }
            return await client.snapshot(pages, mode: mode)
        }
    }

    /// Returns this source with paged lists, from a service that answers with a link.
    ///
    /// The answer is an envelope that holds the items and the URL of the next page. The URL must
    /// have the origin of the list, because the credentials are sent there too.
    ///
    /// ```swift
    /// .paged(client, byLinkWithSize: "page_size") { _ in .get("notes") } page: { (envelope: Envelope) in
    ///     (envelope.results, envelope.next)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - size: the query item for the number of items of a page.
    ///   - list: the request for the whole list.
    ///   - page: returns the items and the absolute or relative URL of the next page, nil or empty
    ///     after the last page. Its errors become ``WharfCore/ReadFailure/Code/unmappable``.
    public func paged<Envelope>(
        _ client: APIClient, byLinkWithSize size: String,
        list: @escaping @Sendable (EntityQuery<Model>) -> Request<Envelope>,
        page: @escaping @Sendable (Envelope) throws -> (items: [Model], next: String?)
    ) -> RemoteSource {
        paged { question, mode in
            do throws(ReadFailure) {
                let request = try PagingScheme.link(size: size).request(
                    list(question.query), size: question.size, token: question.token, client)
                let head = try client.addressed(request).head
                let pages = request.map { envelope in
                    let (items, next) = try page(envelope)
                    guard let next, !next.isEmpty else { return WharfCore.Page(items, next: nil) }
                    return WharfCore.Page(items, next: try PagingScheme.link(next, in: head))
                }
                return await client.snapshot(pages, mode: mode)
            } catch {
                return Snapshot(kept: nil, error: error)
            }
        }
    }
}
