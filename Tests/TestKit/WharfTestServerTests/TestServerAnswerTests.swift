import LiveTransport
import Testing
import TransportStages
import WharfCore
import WharfFakes
import WharfTestServer

/// Each way in which a route can answer, and its log entry.
struct TestServerAnswerTests {
    private func send(
        _ server: TestServer, _ path: String = "/", _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]
    ) async throws -> (head: HTTPResponse, body: String) {
        var head = HTTPRequest.to(server, path, method)
        head.headerFields = fields
        let response = try await liveTransport().send(TransportRequest(head))
        return (response.head, String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    private func body(
        _ server: TestServer, _ path: String = "/", _ method: HTTPRequest.Method = .get
    ) async throws -> String {
        try await send(server, path, method).body
    }

    private func failure(_ server: TestServer) async -> TransportError.Code? {
        await #expect(throws: TransportError.self) { try await send(server) }?.code
    }

    @Test func aPatternMatchesSegmentsAndTheRest() async throws {
        try await TestServer.run { server in
            server.route(.get, "/files/*") { .text("rest of \($0.path)") }
            server.route(.get, "/files/:name/size") { .text("size of \($0.parameters["name"] ?? "")") }
            server.route(nil, "/any") { .text("\($0.method)") }
            #expect(try await body(server, "/files/a/b") == "rest of /files/a/b")
            #expect(try await body(server, "/files/a%20b/size") == "size of a b")
            #expect(try await body(server, "/any", .delete) == "DELETE")
            let missing = try await send(server, "/files").head
            #expect(missing.status == .notFound)
            #expect(server.requests(to: "/any").map(\.method) == [.delete])
        }
    }

    @Test func aHeldAnswerWaitsBeforeItsHeadOrInItsBody() async throws {
        try await TestServer.run { server in
            let (head, body) = (Gate(), Gate())
            server.route(
                .get, "/", .text("hello").held { await head.pass() }.heldInBody(after: 2) { await body.pass() })
            let answer = Task { try await send(server).body }
            await head.arrivals()
            #expect(server.bytesSent(for: 1) == 0)
            head.open()
            await body.arrivals()
            #expect(server.bytesSent(for: 1) == 2)
            body.open()
            let text = try await answer.value
            #expect(text == "hello")
        }
    }

    @Test func aDelayIsMeasuredByTheGivenClock() async throws {
        try await TestServer.run { server in
            let clock = TestClock()
            server.route(.get, "/", .text("late").delayed(by: .seconds(60), on: clock))
            let answer = Task { try await send(server).body }
            await clock.untilSleeping()
            clock.advance(by: .seconds(60))
            let text = try await answer.value
            #expect(text == "late")
        }
    }

    @Test func cachingFieldsGoOutAsTheyAreSet() async throws {
        try await TestServer.run { server in
            server.route(.get, "/a", .text("a").maxAge(30).setting(.vary, "Accept").setting(.age, "5"))
            server.route(
                .get, "/b", .text("b").cacheControl("no-store").adding(.setCookie, "a=1").adding(.setCookie, "b=2"))
            let one = try await send(server, "/a").head.headerFields
            #expect(one[.cacheControl] == "max-age=30" && one[.vary] == "Accept" && one[.age] == "5")
            let two = try await send(server, "/b").head.headerFields
            #expect(two[.cacheControl] == "no-store")
            #expect(two[.setCookie]?.contains("a=1") == true && two[.setCookie]?.contains("b=2") == true)
        }
    }

    @Test func ifModifiedSinceOfTheSameTimeIsAnswered304() async throws {
        try await TestServer.run { server in
            let time = WallTime(secondsSince1970: 784_111_777)
            server.route(.get, "/", .text("hello").lastModified(time))
            let fields = try await send(server).head.headerFields
            #expect(fields[.lastModified] == "Sun, 06 Nov 1994 08:49:37 GMT")
            let again = try await send(server, "/", .get, [.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"])
            #expect(again.head.status == .notModified && again.body.isEmpty)
            let older = try await send(server, "/", .get, [.ifModifiedSince: "Sat, 05 Nov 1994 08:49:37 GMT"])
            #expect(older.head.status == .ok)
            // The entity tag takes precedence (RFC 9110 §13.2.2).
            server.route(.get, "/", .text("hello").lastModified(time).etag("\"1\""))
            let tagged = try await send(
                server, "/", .get, [.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT", .ifNoneMatch: "\"2\""])
            #expect(tagged.head.status == .ok)
        }
    }

    @Test func failuresAreSeenAndLogged() async throws {
        try await TestServer.run { server in
            server.route(
                .get, "/",
                inOrder: [
                    .dropped, .text("hello world").truncated(after: 5), .raw(Array("nonsense\r\n\r\n".utf8)),
                    .status(.serviceUnavailable, fields: [.retryAfter: "7"]),
                ])
            #expect(await failure(server) == .connectionLost)
            #expect(await failure(server) == .connectionLost)
            let code = await failure(server)
            #expect(code == .invalidResponse || code == .connectionLost, "\(String(describing: code))")
            let busy = try await send(server).head
            #expect(busy.status == .serviceUnavailable && busy.headerFields[.retryAfter] == "7")
            for number in 1...3 { #expect(try await server.outcome(of: number) == .cut) }
            #expect(try await server.outcome(of: 4) == .answered)
        }
    }

    @Test func bodyOfPiecesIsSentWithoutALength() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .pieces { $0 < 3 ? Array("\($0)".utf8) : nil })
            let (head, body) = try await send(server)
            #expect(body == "012" && head.headerFields[.contentLength] == nil)
        }
    }

    @Test func connectionsAreCountedAndClosed() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .text("bye").closing())
            #expect(try await body(server) == "bye")
            #expect(try await body(server) == "bye")
            #expect(server.connectionCount == 2)
            #expect(server.requests.map(\.connection) == [1, 2])
            server.route(.get, "/never", .hanging)
            let lost = Task { try await send(server, "/never") }
            try await server.request(3)
            await server.dropConnections()
            await #expect(throws: TransportError.self) { try await lost.value }
            #expect(try await body(server) == "bye")
        }
    }

    @Test func aRedirectIsSentAsItIs() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .redirect(to: "../elsewhere?a=1", status: .temporaryRedirect))
            let head = try await send(server).head
            #expect(head.status == .temporaryRedirect && head.headerFields[.location] == "../elsewhere?a=1")
        }
    }
}
