internal import WharfCore
internal import WharfPrimitives

/// The way in which a service splits its lists into pages and names the next page.
public struct PagingScheme: Sendable {
    private enum Place {
        case offset(String)
        case number(String, first: Int)
        case link
    }

    private let place: Place
    private let size: String

    /// Returns paging by item offset: `?offset=100&limit=50`.
    ///
    /// The list ends with an empty page, because a service may send fewer items than requested.
    public static func offset(_ name: String = "offset", size: String = "limit") -> PagingScheme {
        PagingScheme(place: .offset(name), size: size)
    }

    /// Returns paging by page number: `?page=3&per_page=50`.
    ///
    /// The list ends with an empty page, because a service may send fewer items than requested.
    ///
    /// - Parameter first: the number of the first page.
    public static func number(_ name: String = "page", first: Int = 1, size: String = "per_page") -> PagingScheme {
        PagingScheme(place: .number(name, first: first), size: size)
    }

    /// Returns paging by the field `Link: <…>; rel="next"` (RFC 8288).
    ///
    /// The size of a page is sent as `?per_page=50`.
    ///
    /// The link must have the origin of the list, because the credentials are sent there too.
    public static func link(size: String = "per_page") -> PagingScheme { PagingScheme(place: .link, size: size) }
}

extension PagingScheme {
    /// Returns the request for a page.
    func request<Payload>(
        _ list: Request<Payload>, size count: Int, token: PageToken?, _ client: APIClient
    ) throws(ReadFailure) -> Request<Payload> {
        var request = list
        switch (place, token) {
        case (.link, .link(let url)?):
            // Checked for each page, because the token may come from a disk.
            try check(url, against: try client.addressed(list).head)
            // The link has its own query, which includes that of the list.
            (request.target, request.query) = (.url(url), [])
            return request
        case (.link, nil): break
        case (.link, let token?): throw .foreignToken(token, expected: "a link")
        case (.offset(let name), _):
            let offset = try offset(token)
            // The first page is requested without an offset, as a caller without paging would.
            if offset > 0 { request.query.items.append(QueryItem(name, "\(offset)")) }
        case (.number(let name, let first), _):
            request.query.items.append(QueryItem(name, "\(try number(token, first))"))
        }
        request.query.items.append(QueryItem(size, "\(count)"))
        return request
    }

    /// Returns the token of the page after this one; nil after the last page.
    ///
    /// - Parameter head: the request head of this page.
    func next(
        behind count: Int, token: PageToken?, _ response: HTTPResponse?, to head: HTTPRequest
    ) throws(ReadFailure) -> PageToken? {
        switch place {
        case .link:
            return try response?.nextLink.map { reference throws(ReadFailure) in try Self.link(reference, in: head) }
        case .offset: return count == 0 ? nil : .offset(try sum(offset(token), count))
        case .number(_, let first): return count == 0 ? nil : .number(try sum(number(token, first), 1))
        }
    }

    /// Adds to the number of a token, which may come from a damaged disk.
    private func sum(_ number: Int, _ count: Int) throws(ReadFailure) -> Int {
        let (sum, overflow) = number.addingReportingOverflow(count)
        guard !overflow else {
            throw ReadFailure(
                .invalidRequest,
                message: "the page at \(number) has no next one, because its number would be too large; refresh the "
                    + "list from its first page")
        }
        return sum
    }

    /// Returns the token for a link in the service's spelling.
    static func link(_ reference: String, in head: HTTPRequest) throws(ReadFailure) -> PageToken {
        guard InvalidEscape(in: reference) == nil, let target = RedirectChain.resolve(reference, against: head) else {
            throw .invalidURL("the link to the next page of \(head.redacted()) is not a valid URL")
        }
        return .link("\(target.scheme)://\(target.authority)\(target.path)")
    }

    /// Checks that a link has the origin of the list. A link comes from the service or from a disk,
    /// and credentials must not be sent elsewhere.
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
