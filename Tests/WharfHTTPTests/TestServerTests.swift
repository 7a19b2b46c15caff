#if TestServer
import Foundation
import Testing
import WharfCore
import WharfFakes
import WharfTestServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct TestServerTests {
    private let session = URLSession(configuration: .ephemeral)

    private func get(
        _ url: String, _ method: String = "GET", _ fields: [String: String] = [:]
    ) async throws
        -> (HTTPURLResponse, String)
    {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if method == "POST" { request.httpBody = Data(repeating: 120, count: 3_000_000) }
        let (data, response) = try await session.data(for: request)
        return (try #require(response as? HTTPURLResponse), String(decoding: data, as: UTF8.self))
    }

    @Test func answersByRouteAndLogsWhatCame() async throws {
        try await TestServer.run { server in
            server.route(.get, "/users/:id") { .json(#"{"id":\#($0.parameters["id"] ?? "")}"#) }
            let (head, body) = try await get("\(server.baseURL)/users/7?a=1&b=x%20y+z", "GET", ["X-Test": "t"])
            #expect(head.statusCode == 200)
            #expect(head.value(forHTTPHeaderField: "Content-Type") == "application/json")
            #expect(body == #"{"id":7}"#)
            let request = try await server.request(1)
            #expect(request.target == "/users/7?a=1&b=x%20y+z")
            #expect(request.queryItems.map(\.value) == ["1", "x y z"])
            #expect(request.fields[.init("X-Test")!] == "t")
            #expect(try await server.outcome(of: 1) == .answered)
        }
    }

    @Test func answers404WithoutARoute() async throws {
        try await TestServer.run { server in
            let (head, _) = try await get("\(server.baseURL)/nowhere")
            #expect(head.statusCode == 404)
        }
    }

    @Test func readsALargeBody() async throws {
        try await TestServer.run { server in
            server.route(.post, "/upload") { .text("\($0.body.count)") }
            let (_, length) = try await get("\(server.baseURL)/upload", "POST")
            #expect(length == "3000000")
        }
    }

    @Test func answers304WhenTheTagMatches() async throws {
        try await TestServer.run { server in
            server.route(.get, "/tagged", .text("hello").etag("\"v1\"").maxAge(30))
            let (fresh, body) = try await get("\(server.baseURL)/tagged")
            #expect(body == "hello")
            #expect(fresh.value(forHTTPHeaderField: "Cache-Control") == "max-age=30")
            let (confirmed, none) = try await get(
                "\(server.baseURL)/tagged", "GET", ["If-None-Match": "\"v0\", W/\"v1\""])
            #expect(confirmed.statusCode == 304)
            #expect(none.isEmpty)
            #expect(try await get("\(server.baseURL)/tagged", "GET", ["If-None-Match": "\"v2\""]).0.statusCode == 200)
        }
    }

    @Test func playsTheQueryBackAsFields() async throws {
        try await TestServer.run { server in
            server.echoResponseFields()
            let (head, body) = try await get("\(server.baseURL)/response-headers?Cache-Control=max-age=30&X-A=%22q%22")
            #expect(head.value(forHTTPHeaderField: "Cache-Control") == "max-age=30")
            #expect(body == #"{"Cache-Control":"max-age=30","X-A":"\"q\""}"#)
        }
    }

    @Test func givesAnswersInOrder() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", inOrder: [.text("a"), .text("b").chunked()])
            var bodies: [String] = []
            for _ in 0..<3 { bodies.append(try await get("\(server.baseURL)/").1) }
            #expect(bodies == ["a", "b", "b"])
        }
    }

    @Test func seesThatTheClientLeft() async throws {
        try await TestServer.run { server in
            server.route(.get, "/never", .hanging)
            let url = try #require(URL(string: "\(server.baseURL)/never"))
            let task = Task { [session] in try await session.data(from: url) }
            try await server.request(1)
            task.cancel()
            #expect(try await server.outcome(of: 1) == .disconnected)
        }
    }

    @Test func refusesConnectionsOnceStopped() async throws {
        let server = try await TestServer.start()
        server.route(.get, "/never", .hanging)
        let url = try #require(URL(string: "\(server.baseURL)/never"))
        let task = Task { [session] in try await session.data(from: url) }
        try await server.request(1)
        await server.stop()
        await #expect(throws: URLError.self) { try await task.value }
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == .cannotConnectToHost)
        try await TestServer.run(port: server.port) { again in
            let (head, _) = try await get("\(again.baseURL)/")
            #expect(head.statusCode == 404)
        }
    }

    #if os(Linux)
    @Test func aStoppedOnesPortIsGivenToNobodyElseWhileItIsThere() async throws {
        /// Whether the system would give this port to who asks for any free one: without `SO_REUSEADDR` it asks itself the same.
        func isFree(_ port: UInt16) -> Bool {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        let server = try await TestServer.run { server in
            await server.stop()
            await server.stop()
            #expect(!isFree(server.port))
            try await TestServer.run(port: server.port) { again in
                #expect(again.port == server.port)
            }
            #expect(!isFree(server.port))
            return server
        }
        // Also while somebody holds the server.
        withExtendedLifetime(server) { #expect(isFree(server.port)) }
    }
    #endif

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func stampsTheDate(seconds: Int64, expected: String) async throws {
        let clock = TestClock(start: WallTime(secondsSince1970: seconds))
        try await TestServer.run(clock: clock.wall) { server in
            let (head, _) = try await get("\(server.baseURL)/")
            #expect(head.value(forHTTPHeaderField: "Date") == expected)
        }
    }
}
#endif
