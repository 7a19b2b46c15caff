public import WharfCore

extension RemoteSource {
    /// The same source, its lists read by pages from a service that answers with an array.
    ///
    /// ```swift
    /// let source = RemoteSource<Note>.http(client, at: "notes", payload: Note.self) { $0 }
    ///     .paged(client, by: .number()) { _ in .get("notes") }
    /// ```
    ///
    /// - Parameter list: the request for the list as a whole. What picks the page is put to it.
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
                let next = try scheme.next(
                    behind: kept.value.count, token: question.token, kept.response, to: head)
                return Snapshot(kept: kept.with(WharfCore.Page(kept.value, next: next)), error: answer.error)
            } catch {
                return Snapshot(kept: nil, error: error)
            }
        }
    }

    /// The same source, its lists read by pages from a service that answers with an envelope, in
    /// which it says where the next page is.
    ///
    /// ```swift
    /// .paged(client, cursor: "after", size: "first") { _ in .get("notes") } page: { (envelope: Envelope) in
    ///     (envelope.notes, envelope.nextCursor)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the query item that takes the cursor.
    ///   - size: the query item that takes how many items a page should have.
    ///   - list: the request for the list as a whole. What picks the page is put to it.
    ///   - page: the items and the next cursor; nil or empty where there is none. What it throws
    ///     becomes ``WharfCore/ReadFailure/Code/unmappable``.
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

    /// The same source, its lists read by pages from a service whose envelope has the URL of the
    /// next page. It has to be of the same origin: the credentials go there too.
    ///
    /// ```swift
    /// .paged(client, byLinkWithSize: "page_size") { _ in .get("notes") } page: { (envelope: Envelope) in
    ///     (envelope.results, envelope.next)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - size: the query item that takes how many items a page should have.
    ///   - list: the request for the list as a whole.
    ///   - page: the items and the URL of the next page, absolute or not; nil or empty where there
    ///     is none. What it throws becomes ``WharfCore/ReadFailure/Code/unmappable``.
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
