import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfPrimitives

@testable import WharfGateway

struct AnswerTests {
    @Test func connectionIsKeptBetweenRequests() async throws {
        let origin = RecordingTransport()
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                for path in ["/1", "/2?q"] {
                    try await client.get(path, of: gateway)
                    let answer = try await client.answer()
                    #expect((answer.status, answer.text, answer["connection"]) == (200, "ok", nil))
                }
            }
        }
        #expect(origin.requests.map(\.head.path) == ["/1", "/2?q"])
        #expect(origin.requests.map(\.head.authority) == ["origin.test", "origin.test"])
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let origin = ClosureTransport { request in .text(request.head.path ?? "") }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                let requests = (0..<100).map { "GET /\($0) HTTP/1.1\r\nHost: \(gateway.authority)\r\n\r\n" }
                try await client.send(bytes: requests.joined())
                for number in 0..<100 { #expect(try await client.answer().text == "/\(number)") }
            }
        }
    }

    /// The second answer needs no wait, so the third request begins within the second one.
    @Test func pipelinedRequestEndsWithItsClient() async throws {
        let (first, last) = (Gate(), Gate())
        let end = Promise<Bool>()
        let origin = ClosureTransport { request in
            switch request.head.path {
            case "/1": await first.pass()
            case "/3":
                await last.pass()
                end.fulfil(Task.isCancelled)
            default: break
            }
            return .text(request.head.path ?? "")
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                let requests = (1...3).map { "GET /\($0) HTTP/1.1\r\nHost: \(gateway.authority)\r\n\r\n" }
                try await client.send(bytes: requests.joined())
                await first.arrivals(1)
                first.open()
                for number in 1...2 { #expect(try await client.answer().text == "/\(number)") }
                await last.arrivals(1)
            }
            #expect(await end.wait())
        }
    }

    /// 1000 answers of 64 KB fit into no socket buffer.
    @Test func pipelinedAnswersWaitForTheClient() async throws {
        let sent = Atomic(0)
        let body = String(repeating: "x", count: 64 << 10)
        let origin = ClosureTransport { _ in
            sent.add(1, ordering: .sequentiallyConsistent)
            return .text(body)
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                let request = "GET / HTTP/1.1\r\nHost: \(gateway.authority)\r\n\r\n"
                try await client.send(bytes: String(repeating: request, count: 1_000))
                for number in 1...1_000 {
                    #expect(try await client.answer().body.count == 64 << 10)
                    let ahead = sent.load(ordering: .sequentiallyConsistent) - number
                    #expect(ahead < 500, "\(ahead) answers in memory")
                }
            }
        }
    }

    @Test func interimResponsesComeBeforeTheAnswer() async throws {
        let link = try #require(HTTPField.Name("Link"))
        let origin = ClosureTransport { request in
            for number in 1...2 {
                let head = HTTPResponse(
                    status: .init(code: 103), headerFields: [link: "</\(number)>", .connection: "close"])
                await request.onInterim?(head)
            }
            return .text("ok")
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                for number in 1...2 {
                    let interim = try await client.head()
                    #expect((interim.status, interim["link"], interim["connection"]) == (103, "</\(number)>", nil))
                }
                #expect(try await client.answer().text == "ok")
            }
        }
    }

    /// HTTP/1.0 has no interim responses.
    @Test func oldClientGetsNoInterimResponse() async throws {
        let origin = ClosureTransport { request in
            await request.onInterim?(HTTPResponse(status: .init(code: 103)))
            return .text("ok")
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("GET / HTTP/1.0", "Host: \(gateway.authority)", "")
                #expect(try await client.head().status == 200)
            }
        }
    }

    @Test func trailersFollowTheChunks() async throws {
        let origin = ClosureTransport { _ in .stream(TrailedPieces(["a", "b"], [.eTag: "\"1\"", .contentLength: "9"])) }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("GET / HTTP/1.1", "Host: \(gateway.authority)", "Connection: close", "")
                #expect(try await client.head()["transfer-encoding"] == "chunked")
                let rest = String(decoding: try await client.rest(), as: UTF8.self)
                #expect(rest == "1\r\na\r\n1\r\nb\r\n0\r\nETag: \"1\"\r\n\r\n")
            }
        }
    }

    @Test func headHasTheLengthAndNoBody() async throws {
        let origin = ClosureTransport { _ in
            TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: [.contentLength: "1234"]), body: .empty,
                provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                for _ in 0..<2 {
                    try await client.send("HEAD / HTTP/1.1", "Host: \(gateway.authority)", "")
                    let answer = try await client.answer(isForHead: true)
                    #expect((answer.status, answer["content-length"]) == (200, "1234"))
                    #expect(answer["transfer-encoding"] == nil)
                }
            }
        }
    }

    @Test(arguments: [204, 304]) func answerWithoutBodyKeepsTheConnection(status: Int) async throws {
        let origin = ClosureTransport { _ in
            .text("", status: .init(code: status), fields: [.contentLength: "5", .eTag: "\"a\""])
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                for _ in 0..<2 {
                    try await client.get("/", of: gateway)
                    let answer = try await client.answer()
                    #expect((answer.status, answer["etag"]) == (status, "\"a\""))
                    // RFC 9110 §8.6
                    #expect(answer["content-length"] == (status == 204 ? nil : "5"))
                }
            }
        }
    }

    @Test func bodyOfUnknownLengthIsChunked() async throws {
        let origin = ClosureTransport { _ in
            .stream(Pieces { number in number < 3 ? Array("piece\(number)".utf8) : nil })
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                for _ in 0..<2 {
                    try await client.get("/", of: gateway)
                    let answer = try await client.answer()
                    #expect((answer["transfer-encoding"], answer["content-length"]) == ("chunked", nil))
                    #expect(answer.text == "piece0piece1piece2")
                }
            }
        }
    }

    /// HTTP/1.0 has no chunks.
    @Test func bodyOfUnknownLengthEndsWithTheConnectionForHTTP10() async throws {
        let origin = ClosureTransport { _ in
            .stream(Pieces { number in number < 3 ? Array("piece\(number)".utf8) : nil })
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("GET / HTTP/1.0", "")
                let answer = try await client.answer()
                #expect((answer["transfer-encoding"], answer["connection"]) == (nil, "close"))
                #expect(answer.text == "piece0piece1piece2")
            }
        }
    }

    @Test func headArrivesBeforeTheBody() async throws {
        let gate = Gate()
        let origin = ClosureTransport { _ in
            .stream(
                Pieces { number in
                    if number == 0 { await gate.pass() }
                    return number == 0 ? Array("late".utf8) : nil
                })
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                #expect(try await client.head().status == 200)
                gate.open()
                #expect(try await client.bytes(9) == Array("4\r\nlate\r\n".utf8))
            }
        }
    }

    @Test func fieldsOfTheOriginsConnectionAreRemoved() async throws {
        var fields: HTTPFields = [
            .connection: "keep-alive, X-Private", .init("X-Private")!: "1", .init("Keep-Alive")!: "timeout=5",
            .transferEncoding: "chunked", .init("Proxy-Connection")!: "close", .upgrade: "h2c", .trailer: "X",
            .contentType: "text/plain", .via: "1.1 edge", .init("Cache-Status")!: "edge; hit",
        ]
        fields.append(HTTPField(name: .setCookie, value: "a=1"))
        fields.append(HTTPField(name: .setCookie, value: "b=2"))
        try await withGateway(over: RecordingTransport(fields: fields)) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                let answer = try await client.answer()
                #expect(
                    Set(answer.head.fields.map(\.name)) == [
                        "content-type", "set-cookie", "via", "cache-status", "date", "content-length",
                    ])
                #expect(answer["via"] == "1.1 edge, 1.1 wharf")
                #expect(answer["cache-status"] == "edge; hit, wharf; fwd=bypass")
                #expect(answer.head.fields.filter { $0.name == "set-cookie" }.map(\.value) == ["a=1", "b=2"])
                #expect(answer["date"] == "Sun, 09 Sep 2001 01:46:40 GMT")
                #expect(answer["content-length"] == "2")
            }
        }
    }

    @Test func brokenBodyDoesNotLookComplete() async throws {
        let lost = TransportError(.connectionLost, message: "the origin closed the connection")
        let origin = ClosureTransport { request in
            .stream(
                Pieces { number throws(TransportError) in
                    if number == 1 { throw lost }
                    return Array("half".utf8)
                }, fields: request.head.path == "/known" ? [.contentLength: "8"] : [:])
        }
        try await withGateway(over: origin) { gateway in
            for path in ["/known", "/chunked"] {
                try await RawClient.run(gateway) { client in
                    try await client.get(path, of: gateway)
                    await #expect(throws: RawClient.Ended.self) { try await client.answer() }
                }
            }
            // Without framing the end of the connection is the end of the body, so it is a reset.
            try await RawClient.run(gateway) { client in
                try await client.send("GET / HTTP/1.0", "")
                await #expect(throws: (any Error).self) { try await client.rest() }
            }
        }
    }

    @Test func failureOfTheOriginIsNamed() async throws {
        let failure = Mutex(TransportError(.connectionFailed, message: "GET http://origin.test/ failed: refused"))
        let origin = ClosureTransport { _ throws(TransportError) in throw failure.withLock { $0 } }
        let exchanges = Mutex<[GatewayExchange]>([])
        try await withGateway(over: origin, onExchange: { one in exchanges.withLock { $0.append(one) } }) { gateway in
            try await RawClient.run(gateway) { client in
                for (code, status) in [
                    (TransportError.Code.connectionFailed, 502), (.hostNotFound, 502), (.timedOut, 504),
                    (.invalidResponse, 502), (.invalidRequest, 400), (.nothingKept, 504),
                ] {
                    failure.withLock { $0 = TransportError(code, message: "the reason") }
                    try await client.get("/a?secret", of: gateway)
                    let answer = try await client.answer()
                    #expect((answer.status, answer.text) == (status, "the reason\n"))
                    let detail = code == .nothingKept ? "ONLY-IF-CACHED" : code.name
                    #expect(answer["cache-status"] == "wharf; detail=\(detail)")
                    #expect(answer["cache-control"] == "no-store")
                }
            }
        }
        let first = try #require(exchanges.withLock { $0.first })
        #expect((first.method, first.path, first.status.code) == ("GET", "/a", 502))
        #expect(first.failure?.code == .connectionFailed)
    }

    @Test func clientThatLeavesCancelsTheRequest() async throws {
        let (arrived, cancelled) = (Promise<Void>(), Promise<Void>())
        let origin = ClosureTransport { _ throws(TransportError) in
            arrived.fulfil()
            // A cancelled task passes.
            await Gate().pass()
            cancelled.fulfil()
            throw TransportError(.cancelled, message: "cancelled")
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                await arrived.wait()
            }
            await cancelled.wait()
        }
    }
}
