import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfTestServer

@testable import WharfCommand

/// The table of `ReadPolicy` on the command line, with a real server and a real cache file.
struct PolicyTableTests {
    enum Kept: CaseIterable { case fresh, stale, nothing }
    enum Server: CaseIterable { case up, dead, failing, gone }

    struct Expected: Equatable {
        var body: String
        var status: ProcessStatus
        var strict: ProcessStatus
        var tellsOfFailure = false
    }

    @Test(arguments: ReadPolicy.all, Kept.allCases)
    func policyOutcomeMatchesTheTable(policy: ReadPolicy, kept: Kept) async throws {
        for server in Server.allCases {
            for strict in [false, true] {
                let result = try await answer(policy, kept, server, strict: strict)
                let expected = Self.expected(policy, kept, server)
                let label: Comment = "\(policy.name), kept \(kept), server \(server), strict \(strict): \(result.line)"
                #expect(result.status == (strict ? expected.strict : expected.status), label)
                #expect(result.text == expected.body, label)
                #expect(result.line.contains("the refresh failed") == expected.tellsOfFailure, label)
                #expect(result.error.filter { $0 == "\n" }.count == 1, label)
            }
        }
    }

    private func answer(
        _ policy: ReadPolicy, _ kept: Kept, _ state: Server, strict: Bool
    ) async throws -> Session.Result {
        let session = try Session()
        return try await TestServer.run(clock: session.clock.wall) { server in
            let url = "\(server.baseURL)/users/1"
            if kept != .nothing {
                server.route(.get, "/users/1", .text("old").maxAge(60))
                let first = await session.get(url)
                #expect(first.status == .delivered)
                session.clock.advance(by: kept == .fresh ? .seconds(12) : .seconds(192))
            }
            switch state {
            case .up: server.route(.get, "/users/1", .text("new").maxAge(60))
            case .dead: await server.stop()
            case .failing: server.route(.get, "/users/1", .text("failing", status: .serviceUnavailable))
            case .gone: server.route(.get, "/users/1", .text("gone", status: .notFound))
            }
            let more = strict ? ["--strict"] : []
            return await session.run(
                ["get", url, "--cache", session.folder.path("cache.sqlite"), "--policy", policy.name] + more)
        }
    }

    private static func expected(_ policy: ReadPolicy, _ kept: Kept, _ server: Server) -> Expected {
        let old = Expected(body: "old", status: .delivered, strict: kept == .stale ? .stale : .delivered)
        switch policy {
        case .cacheOnly:
            return kept == .nothing ? Expected(body: "", status: .noAnswer, strict: .noAnswer) : old
        case .cacheFirst where kept != .nothing, .standard where kept == .fresh:
            return old
        default: break
        }
        var stands = old
        stands.tellsOfFailure = true
        let fallsBack = kept != .nothing && policy != .networkOnly
        switch server {
        case .up: return Expected(body: "new", status: .delivered, strict: .delivered)
        case .gone: return Expected(body: "gone", status: .errorStatus, strict: .errorStatus)
        case .dead: return fallsBack ? stands : Expected(body: "", status: .noAnswer, strict: .noAnswer)
        case .failing:
            return fallsBack ? stands : Expected(body: "failing", status: .errorStatus, strict: .errorStatus)
        }
    }

    @Test func statusLineHasSourceAgeAndLifetime() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            let url = "\(server.baseURL)/users/1"
            server.route(.get, "/users/1", .text("Ada").maxAge(180).etag("\"v1\""))
            let first = await session.get(url)
            #expect(first.line == "200 OK from the network, 0 s old, fresh for another 3 min (max-age is 3 min)")
            session.clock.advance(by: .seconds(30))
            let second = await session.get(url)
            #expect(
                second.line == "200 OK from the HTTP cache, 30 s old, fresh for another 2 min 30 s (max-age is 3 min)")
            session.clock.advance(by: .seconds(162))
            let third = await session.get(url, "--policy", "cache-first")
            #expect(third.line == "200 OK from the HTTP cache, 3 min 12 s old, stale for 12 s (max-age is 3 min)")
            let fourth = await session.get(url)
            #expect(
                fourth.line
                    == "200 OK from the HTTP cache, confirmed by the server, 0 s old, fresh for another 3 min (max-age is 3 min)"
            )
            server.route(.get, "/users/1", .status(.serviceUnavailable))
            session.clock.advance(by: .seconds(192))
            let fifth = await session.get(url)
            #expect(
                fifth.line == "200 OK from the HTTP cache, 3 min 12 s old, stale for 12 s (max-age is 3 min); "
                    + "the refresh failed: the server answered 503 Service Unavailable")
            await server.stop()
            let last = await session.get(url)
            #expect(last.text == "Ada")
            #expect(last.line.hasSuffix("; the refresh failed: no connection to \(server.authority)"))
        }
    }

    @Test func credentialsWithoutAnAccountAreNotKept() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            server.route(.get, "/me", .text("Ada").maxAge(60))
            let url = "\(server.baseURL)/me"
            let secret = "Authorization: Bearer s3cr3t"
            let first = await session.get(url, "-H", secret)
            #expect(first.line.hasSuffix("not kept (credentials without --account)"))
            let again = await session.get(url, "-H", secret, "--policy", "cache-only")
            #expect(again.status == .noAnswer)
            _ = await session.get(url, "-H", secret, "--account", "ada")
            let kept = await session.get(url, "-H", secret, "--account", "ada", "--policy", "cache-only")
            #expect(kept.text == "Ada")
            let other = await session.get(url, "-H", secret, "--account", "bob", "--policy", "cache-only")
            #expect(other.status == .noAnswer)
            for result in [first, again, kept, other] { #expect(!result.error.contains("s3cr3t")) }
        }
    }

    @Test func explanationShowsTheAgeArithmetic() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            server.route(.get, "/x", .text("x").maxAge(180).setting(.age, "20"))
            let url = "\(server.baseURL)/x"
            _ = await session.get(url)
            session.clock.advance(by: .seconds(172))
            await server.stop()
            let result = await session.get(url, "--explain")
            let lines = result.error.split(separator: "\n").map(String.init)
            #expect(lines.count == 9)
            #expect(lines[1].hasPrefix("Error: "))
            #expect(lines[2].hasPrefix("Cache-Status: wharf; fwd=stale"))
            #expect(lines[3] == "  apparent age          0.000 s   time of the answer less its Date, at least 0")
            #expect(lines[6] == "  current age         192.000 s   the larger age plus the resident time")
            #expect(lines[7] == "  freshness lifetime  180.000 s   max-age")
            #expect(lines[8] == "  stale for            12.000 s   current age less lifetime")
        }
    }
}
