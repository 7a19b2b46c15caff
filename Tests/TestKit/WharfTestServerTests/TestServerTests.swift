import Foundation
import LiveTransport
import Testing
import TransportStages
import WharfCore
import WharfFakes
import WharfTestServer

struct TestServerTests {
    private let transport = liveTransport()

    /// - Parameter path: relative to the root of the server.
    private func get(
        _ server: TestServer, _ path: String, _ fields: HTTPFields = [:], sending body: [UInt8]? = nil
    ) async throws -> (HTTPResponse, String) {
        var head = HTTPRequest.to(server, path, body == nil ? .get : .post)
        head.headerFields = fields
        let response = try await transport.send(TransportRequest(head, body: body.map { .bytes($0) } ?? .none))
        return (response.head, String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    @Test func requestIsAnsweredByItsRouteAndLogged() async throws {
        try await TestServer.run { server in
            server.route(.get, "/users/:id") { .json(#"{"id":\#($0.parameters["id"] ?? "")}"#) }
            let (head, body) = try await get(server, "/users/7?a=1&b=x%20y+z", [.init("X-Test")!: "t"])
            #expect(head.status.code == 200)
            #expect(head.headerFields[.contentType] == "application/json")
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
            let (head, _) = try await get(server, "/nowhere")
            #expect(head.status.code == 404)
        }
    }

    @Test func readsALargeBody() async throws {
        try await TestServer.run { server in
            server.route(.post, "/upload") { .text("\($0.body.count)") }
            let (_, length) = try await get(
                server, "/upload", sending: [UInt8](repeating: 120, count: 3_000_000))
            #expect(length == "3000000")
        }
    }

    @Test func answers304WhenTheTagMatches() async throws {
        try await TestServer.run { server in
            server.route(.get, "/tagged", .text("hello").etag("\"v1\"").maxAge(30))
            let (fresh, body) = try await get(server, "/tagged")
            #expect(body == "hello")
            #expect(fresh.headerFields[.cacheControl] == "max-age=30")
            let (confirmed, none) = try await get(
                server, "/tagged", [.ifNoneMatch: "\"v0\", W/\"v1\""])
            #expect(confirmed.status.code == 304)
            #expect(none.isEmpty)
            #expect(try await get(server, "/tagged", [.ifNoneMatch: "\"v2\""]).0.status == .ok)
        }
    }

    @Test func playsTheQueryBackAsFields() async throws {
        try await TestServer.run { server in
            server.echoResponseFields()
            let (head, body) = try await get(server, "/response-headers?Cache-Control=max-age=30&X-A=%22q%22")
            #expect(head.headerFields[.cacheControl] == "max-age=30")
            #expect(body == #"{"Cache-Control":"max-age=30","X-A":"\"q\""}"#)
        }
    }

    @Test func givesAnswersInOrder() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", inOrder: [.text("a"), .text("b").chunked()])
            var bodies: [String] = []
            for _ in 0..<3 { bodies.append(try await get(server, "/").1) }
            #expect(bodies == ["a", "b", "b"])
        }
    }

    @Test func seesThatTheClientLeft() async throws {
        try await TestServer.run { server in
            server.route(.get, "/never", .hanging)
            let task = Task { try await get(server, "/never") }
            try await server.request(1)
            task.cancel()
            #expect(try await server.outcome(of: 1) == .disconnected)
        }
    }

    @Test func refusesConnectionsOnceStopped() async throws {
        let server = try await TestServer.start()
        server.route(.get, "/never", .hanging)
        let task = Task { try await get(server, "/never") }
        try await server.request(1)
        await server.stop()
        await #expect(throws: TransportError.self) { try await task.value }
        let error = await #expect(throws: TransportError.self) { try await get(server, "/never") }
        #expect(error?.code == .connectionFailed)
        try await TestServer.run(port: server.port) { again in
            let (head, _) = try await get(again, "/")
            #expect(head.status.code == 404)
        }
    }

    #if os(Linux)
    @Test func portOfAStoppedServerIsReservedUntilItsRunEnds() async throws {
        /// Whether the system would assign this port to a socket that asks for any free one.
        /// Without `SO_REUSEADDR` it applies the same check.
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
        // The port is free even while the server object is held.
        withExtendedLifetime(server) { #expect(isFree(server.port)) }
    }
    #endif

    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    ])
    func stampsTheDate(seconds: Int64, expected: String) async throws {
        let clock = TestClock(start: WallTime(secondsSince1970: seconds))
        try await TestServer.run(clock: clock.wall) { server in
            let (head, _) = try await get(server, "/")
            #expect(head.headerFields[.date] == expected)
        }
    }
}
