import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfTestServer

@testable import WharfCommand

struct JSONOutputTests {
    @Test func jsonBodyIsEmbeddedOnOneLine() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            server.route(
                .get, "/x",
                .json("{\n  \"id\": 12345678901234567890.10,\r\n  \"e\": 1E400, \"s\": \"a\\nb\"\n}").maxAge(60))
            let result = await session.get("\(server.baseURL)/x", "--json")
            #expect(result.status == .delivered)
            #expect(
                result.text == "{\"value\":{   \"id\": 12345678901234567890.10,    \"e\": 1E400, \"s\": \"a\\nb\" },"
                    + "\"status\":200,\"source\":\"network\",\"ageSeconds\":0,\"fresh\":true,\"error\":null}\n")
        }
    }

    @Test func otherBodiesAreBase64() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            server.route(.get, "/x", TestResponse(body: [0xFF, 0x00, 0x7B]))
            let object = try Self.object(await session.get("\(server.baseURL)/x", "--json"))
            #expect(object["body"] as? String == "/wB7")
            #expect(object["value"] == nil)
            #expect(object["fresh"] as? Bool == false)
        }
    }

    @Test func invalidJSONBodyIsReportedWithItsLocation() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            server.route(.get, "/x", .json("{\n  \"a\": [1, 2,]\n}"))
            let result = await session.get("\(server.baseURL)/x", "--json")
            #expect(result.status == .delivered)
            let object = try Self.object(result)
            #expect(object["body"] as? String == "ewogICJhIjogWzEsIDIsXQp9")
            #expect(
                result.line.hasSuffix(
                    "2:14: a[2]: expected a value, found ']'\n      \"a\": [1, 2,]\n                 ^"))
        }
    }

    @Test func eachAnswerIsOneLine() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            let url = "\(server.baseURL)/x"
            server.route(.get, "/x", .json("1").maxAge(60))
            let first = await session.get(url, "--json", "--policy", "cache-then-network")
            let sources = try Self.objects(first).map { $0["source"] as? String }
            #expect(sources == ["network"])
            session.clock.advance(by: .seconds(90))
            server.route(.get, "/x", .json("2").maxAge(60))
            let second = await session.get(url, "--json", "--policy", "cache-then-network")
            let objects = try Self.objects(second)
            #expect(objects.map { $0["value"] as? Int } == [1, 2])
            #expect(objects.map { $0["source"] as? String } == ["httpCache", "network"])
            #expect(objects.map { $0["ageSeconds"] as? Int } == [90, 0])
            #expect(objects.map { $0["fresh"] as? Bool } == [false, true])
            await server.stop()
            let third = await session.get(url, "--json", "--policy", "cache-then-network")
            #expect(third.status == .delivered)
            let errors = try Self.objects(third).map { ($0["error"] as? [String: Any])?["code"] as? String }
            #expect(errors == [nil, "connectionFailed"])
        }
    }

    @Test func valueIsMissingIfNoneWasDelivered() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            server.route(.get, "/gone", .json("{\"reason\": 1}", status: .gone))
            let gone = await session.get("\(server.baseURL)/gone", "--json")
            #expect(gone.status == .errorStatus)
            let answer = try Self.object(gone)
            #expect(answer["value"] is NSNull)
            #expect(answer["status"] as? Int == 410)
            #expect(answer["source"] as? String == "network")
            #expect((answer["error"] as? [String: Any])?["code"] as? String == "status")

            server.route(.get, "/cut", .text("hello world").truncated(after: 5))
            let cut = await session.get("\(server.baseURL)/cut", "--json")
            #expect(cut.status == .noAnswer)
            let broken = try Self.object(cut)
            #expect(broken["value"] is NSNull)
            #expect((broken["error"] as? [String: Any])?["code"] as? String == "connectionLost")

            await server.stop()
            let dead = await session.get("\(server.baseURL)/never", "--json")
            #expect(dead.status == .noAnswer)
            let nothing = try Self.object(dead)
            #expect(Set(nothing.keys) == ["value", "status", "source", "ageSeconds", "fresh", "error"])
            #expect(nothing["status"] is NSNull)
            #expect((nothing["error"] as? [String: Any])?["code"] as? String == "connectionFailed")
        }
    }

    @Test func serverErrorIsShownBesideTheCachedValue() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            let url = "\(server.baseURL)/x"
            server.route(.get, "/x", inOrder: [.json("[1]").maxAge(0), .status(.badGateway)])
            _ = await session.get(url)
            session.clock.advance(by: .seconds(5))
            let result = await session.get(url, "--json", "--strict")
            #expect(result.status == .stale)
            let object = try Self.object(result)
            #expect(object["value"] as? [Int] == [1])
            #expect(object["status"] as? Int == 200)
            #expect(object["source"] as? String == "httpCache")
            #expect(object["ageSeconds"] as? Int == 5)
            #expect((object["error"] as? [String: Any])?["code"] as? String == "status")
        }
    }

    private static func objects(_ result: Session.Result) throws -> [[String: Any]] {
        try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    private static func object(_ result: Session.Result) throws -> [String: Any] {
        let objects = try objects(result)
        try #require(objects.count == 1)
        return objects[0]
    }
}
