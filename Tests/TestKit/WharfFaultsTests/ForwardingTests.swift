import LiveTransport
import Testing
import WharfCore
import WharfHTTP
import WharfTestServer

struct ForwardingTests {
    private static func forwarding(
        _ body: (_ origin: TestServer, _ front: TestServer, _ client: FaultCarrier.Client) async throws -> Void
    ) async throws {
        try await TestServer.run { origin in
            try await TestServer.run { front in
                front.forward(to: "http", origin.authority, by: liveTransport())
                try await body(
                    origin, front, FaultCarrier.Client(transport: liveTransport(), authority: front.authority))
            }
        }
    }

    @Test func requestIsForwardedToTheOrigin() async throws {
        try await Self.forwarding { origin, front, client in
            origin.route(nil, "/*") { .text("\($0.method) \($0.target) \($0.text)", status: .created) }
            #expect(await client.answer(to: "/a/b?c=%20d", sending: [65, 66]).text == "201 POST /a/b?c=%20d AB")
            let request = try await origin.request(1)
            #expect(request.fields[values: .init("Host")!] == [origin.authority])
            #expect(await client.answer().text == "201 GET / ")
            #expect(front.requests.map(\.body) == [[], []])
            #expect(front.connectionCount == 2, "each request is a connection of its own")
        }
    }

    @Test func aLargeBodyComesWhole() async throws {
        try await Self.forwarding { origin, _, client in
            let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            origin.route(.get, "/", TestResponse(body: body))
            origin.route(.get, "/chunked", TestResponse(body: body).chunked())
            #expect(await client.answer() == .came(200, body))
            #expect(await client.answer(to: "/chunked") == .came(200, body))
        }
    }

    @Test func anAnswerThatBreaksDoesNotLookComplete() async throws {
        try await Self.forwarding { origin, _, client in
            let body = [UInt8](repeating: 65, count: 100_000)
            origin.route(.get, "/", TestResponse(body: body).truncated(after: 50_000))
            #expect(await client.answer() == .failed(.connectionLost))
            origin.route(.get, "/", TestResponse(body: body).chunked().truncated(after: 50_000))
            #expect(await client.answer() == .failed(.connectionLost))
        }
    }

    @Test func anOriginThatIsGoneIsABadGateway() async throws {
        try await Self.forwarding { origin, _, client in
            await origin.stop()
            let text = await client.answer().text
            #expect(text.hasPrefix("502 no answer from http://\(origin.authority): connectionFailed"), "\(text)")
        }
    }

    @Test(arguments: [("", "/new"), ("elsewhere", "http://elsewhere.example/new")])
    func redirectToTheOriginIsRewrittenToTheFront(host: String, expected: String) async throws {
        try await Self.forwarding { origin, front, client in
            let target = host.isEmpty ? origin.baseURL : "http://elsewhere.example"
            origin.route(.get, "/old", .redirect(to: "\(target)/new"))
            let head = HTTPRequest(method: .get, scheme: "http", authority: front.authority, path: "/old")
            let answer = try await client.transport.send(TransportRequest(head))
            #expect(answer.head.headerFields[.location] == expected)
        }
    }

    @Test func statusesAndRedirectsPassUnchanged() async throws {
        try await Self.forwarding { origin, _, client in
            origin.route(.get, "/gone", .text("never", status: .gone))
            origin.route(.get, "/old", .redirect(to: "/new"))
            origin.route(.get, "/same", .status(.notModified))
            #expect(await client.answer(to: "/gone").text == "410 never")
            #expect(await client.answer(to: "/old").text == "302 ")
            #expect(await client.answer(to: "/same").text == "304 ")
        }
    }
}
