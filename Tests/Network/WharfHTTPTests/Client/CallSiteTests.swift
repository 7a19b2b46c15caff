import Testing
import WharfCore
import WharfFakes
import WharfHTTP

/// The call sites for which the API was designed. Compiling them is most of the test.
@Suite struct CallSiteTests {
    @Test func everyRequestFactorySendsItsMethodAndPath() async throws {
        let script = StubTransport { request in
            request.head.path == "/users" && request.head.method == .get ? .ok("[]") : .ann
        }
        let client = try APIClient.testing(script)
        let id = 1

        let one: User = try await client.fetch(.get("users/\(id)")).value
        let all: [User] = try await client.fetch(.get("users"), policy: .networkOnly).value
        let page: User = try await client.fetch(.get("users", query: ["page": "2"])).value
        let next: User = try await client.fetch(.get(url: "https://api.example.com/next?page=3")).value
        let posted: User = try await client.fetch(.post("users", json: one)).value
        let patched: User = try await client.fetch(.patch("users/\(id)", json: ["name": "Ann"])).value
        let name = try await client.fetch(Request<User>.get("users/\(id)").map(\.name)).value
        let logo = try await client.fetch(.get("logo.png", decoding: .bytes)).value
        let text = try await client.fetch(.get("robots.txt", decoding: .text)).value
        _ = try await client.fetch(.delete("users/\(id)", decoding: .ignored))
        _ = try await client.fetch(.put("users/\(id)", json: one, decoding: .ignored))
        let size = try await client.fetch(.head("logo.png")).response?.headerFields[.contentLength]

        #expect([one, page, next, posted, patched] == Array(repeating: User.ann, count: 5))
        #expect(all.isEmpty)
        #expect(name == "Ann")
        #expect(logo.count == text.utf8.count)
        #expect(size == nil)
        let lines = script.requests.map { "\($0.head.method) \($0.head.path ?? "")" }
        #expect(
            lines == [
                "GET /users/1", "GET /users", "GET /users?page=2", "GET /next?page=3", "POST /users",
                "PATCH /users/1", "GET /users/1", "GET /logo.png", "GET /robots.txt", "DELETE /users/1",
                "PUT /users/1", "HEAD /logo.png",
            ]
        )
    }
}
