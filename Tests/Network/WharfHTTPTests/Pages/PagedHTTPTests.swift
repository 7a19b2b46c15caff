import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// Pages in the form in which services send them.
@Suite struct PagedHTTPTests {
    private struct Item: Decodable, Identifiable, Sendable, Equatable {
        let id: Int
    }

    private struct Envelope: Decodable, Sendable {
        let items: [Item]
        let next: String?
    }

    private func client(_ transport: any Transport) throws -> APIClient {
        let environment = try APIEnvironment("https://api.example.com/v1", fields: [.authorization: "Bearer secret"])
        return APIClient(environment: environment, transport: transport)
    }

    private var base: RemoteSource<Item> { RemoteSource(get: { Item(id: $0) }) }

    private func body(_ ids: some Sequence<Int>) -> String {
        "[\(ids.map { "{\"id\": \($0)}" }.joined(separator: ","))]"
    }

    /// Reads pages up to the end or the first failure.
    private func walk(_ source: RemoteSource<Item>, size: Int = 2) async throws -> (ids: [Int], error: ReadFailure?) {
        let page = try #require(source.page)
        var ids: [Int] = []
        var token: PageToken?
        for _ in 0..<20 {
            let answer = await page(PageQuery(size: size, token: token), .reload)
            guard let value = answer.value else { return (ids, answer.error) }
            ids += value.items.map(\.id)
            guard let next = value.next else { return (ids, answer.error) }
            token = next
        }
        return (ids, ReadFailure(.endlessPages, message: "the test gives up"))
    }

    @Test func offsetPagingEndsAtAnEmptyPage() async throws {
        // The service returns one element although it is asked for two.
        let script = StubTransport([.ok(body([1, 2])), .ok(body([3])), .ok(body([4, 5])), .ok("[]")])
        let source = base.paged(try client(script), by: .offset()) { _ in .get("items", query: ["tag": "a"]) }
        #expect(try await walk(source).ids == [1, 2, 3, 4, 5])
        #expect(
            script.requests.map(\.head.path) == [
                "/v1/items?tag=a&limit=2", "/v1/items?tag=a&offset=2&limit=2", "/v1/items?tag=a&offset=3&limit=2",
                "/v1/items?tag=a&offset=5&limit=2",
            ])
    }

    @Test(arguments: [(PagingScheme.offset(), PageToken.offset(.max)), (.number(), .number(.max))])
    func aTokenWithoutANextNumberIsAFailure(scheme: PagingScheme, token: PageToken) async throws {
        // A token comes from a disk, and may be damaged.
        let script = StubTransport([.ok(body([1, 2]))])
        let page = try #require(base.paged(try client(script), by: scheme) { _ in .get("items") }.page)
        let answer = await page(PageQuery(size: 2, token: token), .reload)
        #expect(answer.value == nil)
        #expect(answer.error?.code == .invalidRequest)
    }

    @Test func numberPagingCountsFromTheConfiguredFirstPage() async throws {
        let script = StubTransport([.ok(body([1, 2])), .ok(body([3])), .ok("[]")])
        let source = base.paged(try client(script), by: .number("p", first: 0, size: "n")) { _ in .get("items") }
        #expect(try await walk(source).ids == [1, 2, 3])
        #expect(script.requests.map(\.head.path) == ["/v1/items?p=0&n=2", "/v1/items?p=1&n=2", "/v1/items?p=2&n=2"])
    }

    @Test(arguments: ["", "null"])
    func cursorPagingFollowsTheEnvelope(end: String) async throws {
        let last = end == "null" ? "null" : "\"\""
        let script = StubTransport([
            .ok(#"{"items": \#(body([1, 2])), "next": "a b&c"}"#), .ok(#"{"items": \#(body([3])), "next": \#(last)}"#),
        ])
        let source = base.paged(try client(script), cursor: "after", size: "first") { _ in
            Request<Envelope>.get("items")
        } page: {
            ($0.items, $0.next)
        }
        #expect(try await walk(source).ids == [1, 2, 3])
        #expect(script.requests.map(\.head.path) == ["/v1/items?first=2", "/v1/items?after=a%20b%26c&first=2"])
    }

    @Test(arguments: ["https://api.example.com/v1/items?cursor=x", "?cursor=x"])
    func linkPagingFollowsTheEnvelope(link: String) async throws {
        let script = StubTransport([
            .ok(#"{"items": \#(body([1, 2])), "next": "\#(link)"}"#), .ok(#"{"items": \#(body([3])), "next": null}"#),
            .ok(#"{"items": \#(body([4])), "next": "https://elsewhere.example/"}"#),
        ])
        let source = base.paged(try client(script), byLinkWithSize: "n") { _ in
            Request<Envelope>.get("items")
        } page: {
            ($0.items, $0.next)
        }
        #expect(try await walk(source).ids == [1, 2, 3])
        #expect(script.requests.map(\.head.path) == ["/v1/items?n=2", "/v1/items?cursor=x"])
        let refused = try await walk(source)
        #expect(refused.ids == [4] && refused.error?.code == .invalidRequest)
    }

    @Test(arguments: [
        "<https://api.example.com/v1/items?cursor=x>; rel=\"next\"",
        "<HTTPS://API.example.com:443/v1/items?cursor=x>; rel=next",
        "</v1/items?cursor=x>; rel=\"prev next\"",
        "<?cursor=x>; REL=\"NEXT\"; title=\"a, \\\"b\\\"; rel=prev\"",
        "<https://elsewhere.example/>; rel=prev, <items?cursor=x>; title=x; rel=next",
        "<other>; rel=next; anchor=\"/x\", <//api.example.com/v1/items?cursor=x>; rel=\"next\"",
    ])
    func linkPagingFollowsTheLinkField(link: String) async throws {
        let script = StubTransport([.ok(body([1, 2]), fields: [Self.link: link]), .ok(body([3]))])
        let source = base.paged(try client(script), by: .link()) { _ in .get("items", query: ["tag": "a"]) }
        #expect(try await walk(source).ids == [1, 2, 3])
        #expect(script.requests.map(\.head.path) == ["/v1/items?tag=a&per_page=2", "/v1/items?cursor=x"])
        #expect(script.requests.last?.head.authority == "api.example.com")
        #expect(script.requests.last?.head.headerFields[.authorization] == "Bearer secret")
    }

    @Test(arguments: [
        "<https://elsewhere.example/items?secret=1>; rel=next", "<http://api.example.com/v1/items>; rel=next",
        "<https://api.example.com:8443/items>; rel=next", "<//elsewhere.example/items>; rel=next",
        "<file:///etc/passwd>; rel=next", "<https://api.example.com@elsewhere.example/>; rel=next",
    ])
    func aLinkThatLeadsAwayIsRefusedAndThePageBeforeItStays(link: String) async throws {
        let script = StubTransport([.ok(body([1, 2]), fields: [Self.link: link])])
        let source = base.paged(try client(script), by: .link()) { _ in .get("items") }
        let (ids, error) = try await walk(source)
        #expect(ids == [1, 2] && error?.code == .invalidRequest)
        #expect(error?.message.contains("secret") == false)
        #expect(script.requests.count == 1)
    }

    @Test(arguments: [
        "", "next", "<a>; rel=prev", "<a; rel=next", "<a>; title=next", "<a>; rel=prev; rel=next",
        "<a>; anchor=x; rel=next",
    ])
    func pageWithoutNextLinkEndsTheList(link: String) async throws {
        let script = StubTransport([.ok(body([1, 2]), fields: [Self.link: link])])
        let source = base.paged(try client(script), by: .link()) { _ in .get("items") }
        let (ids, error) = try await walk(source)
        #expect(ids == [1, 2] && error == nil)
    }

    @Test func pageTokenOfAnotherKindIsRefused() async throws {
        let client = try client(StubTransport([]))
        let sources = [
            (base.paged(client, by: .offset()) { _ in .get("items") }, PageToken.number(1)),
            (base.paged(client, by: .number()) { _ in .get("items") }, .offset(1)),
            (base.paged(client, by: .link()) { _ in .get("items") }, .cursor("https://api.example.com/")),
            (
                base.paged(client) { _ in
                    Request<Envelope>.get("items")
                } page: {
                    ($0.items, $0.next)
                },
                .link("https://api.example.com/")
            ),
        ]
        for (source, token) in sources {
            let page = try #require(source.page)
            #expect(await page(PageQuery(size: 2, token: token), .normal).error?.code == .invalidRequest)
        }
    }

    private static let link: HTTPField.Name = {
        guard let name = HTTPField.Name("Link") else { preconditionFailure("Link is a field name") }
        return name
    }()
}
