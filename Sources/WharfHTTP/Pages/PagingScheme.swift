internal import WharfCore
internal import WharfPrimitives

/// How a service cuts its lists into pages, and where it says that there is another.
public struct PagingScheme: Sendable {
    private enum Place {
        case offset(String)
        case number(String, first: Int)
        case link
    }

    private let place: Place
    private let size: String

    /// `?offset=100&limit=50`. The list ends with an empty page: a service may give fewer items
    /// than it is asked for.
    public static func offset(_ name: String = "offset", size: String = "limit") -> PagingScheme {
        PagingScheme(place: .offset(name), size: size)
    }

    /// `?page=3&per_page=50`. The list ends with an empty page: a service may give fewer items than
    /// it is asked for.
    ///
    /// - Parameter first: the number of the first page.
    public static func number(_ name: String = "page", first: Int = 1, size: String = "per_page") -> PagingScheme {
        PagingScheme(place: .number(name, first: first), size: size)
    }

    /// `?per_page=50`, and the next page where the field `Link: <…>; rel="next"` says (RFC 8288).
    /// It has to be of the same origin: the credentials go there too.
    public static func link(size: String = "per_page") -> PagingScheme { PagingScheme(place: .link, size: size) }
}

extension PagingScheme {
    /// The request for a page.
    func request<Payload>(
        _ list: Request<Payload>, size count: Int, token: PageToken?, _ client: APIClient
    ) throws(ReadFailure) -> Request<Payload> {
        var request = list
        switch (place, token) {
        case (.link, .link(let url)?):
            try check(url, against: try client.addressed(list).head)
            // The link has its own query, that of the list included.
            (request.target, request.query) = (.url(url), [])
            return request
        case (.link, nil): break
        case (.link, let token?): throw .foreignToken(token, expected: "a link")
        case (.offset(let name), _):
            let offset = try offset(token)
            if offset > 0 { request.query.items.append(QueryItem(name, "\(offset)")) }
        case (.number(let name, let first), _):
            request.query.items.append(QueryItem(name, "\(try number(token, first))"))
        }
        request.query.items.append(QueryItem(size, "\(count)"))
        return request
    }

    /// Where the page behind this one is.
    ///
    /// - Parameter head: of the request for this one.
    func next(
        behind count: Int, token: PageToken?, _ response: HTTPResponse?, to head: HTTPRequest
    ) throws(ReadFailure) -> PageToken? {
        switch place {
        case .link:
            return try response?.nextLink.map { reference throws(ReadFailure) in try Self.link(reference, in: head) }
        case .offset: return count == 0 ? nil : .offset(try offset(token) + count)
        case .number(_, let first): return count == 0 ? nil : .number(try number(token, first) + 1)
        }
    }

    /// The token of a link as the service wrote it.
    static func link(_ reference: String, in head: HTTPRequest) throws(ReadFailure) -> PageToken {
        guard InvalidEscape(in: reference) == nil, let target = RedirectChain.resolve(reference, against: head) else {
            throw .invalidURL("expected a URL as the link to the next page of \(head.redacted()), found none")
        }
        return .link("\(target.scheme)://\(target.authority)\(target.path)")
    }

    /// A link is the service's own text, or lay on a disk: what goes along with the request must
    /// not go elsewhere.
    private func check(_ url: String, against head: HTTPRequest) throws(ReadFailure) {
        guard let target = RedirectChain.resolve(url, against: head), target.hasOrigin(of: head) else {
            let found = RedirectChain.resolve(url, against: head)?.text ?? "no URL"
            throw .invalidURL(
                "expected the link to the next page to stay at \(head.scheme ?? "")://\(head.authority ?? ""), found \(found)"
            )
        }
    }

    private func offset(_ token: PageToken?) throws(ReadFailure) -> Int {
        switch token {
        case nil: return 0
        case .offset(let offset)?: return offset
        case let token?: throw .foreignToken(token, expected: "an offset")
        }
    }

    private func number(_ token: PageToken?, _ first: Int) throws(ReadFailure) -> Int {
        switch token {
        case nil: return first
        case .number(let number)?: return number
        case let token?: throw .foreignToken(token, expected: "a page number")
        }
    }
}
