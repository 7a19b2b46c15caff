#if os(Linux) && TestServer
import Synchronization
import Testing
import TransportStages
import WharfCore
import WharfCurl
import WharfFakes
import WharfTestServer

struct AnswerTests {
    private func answer(
        _ bytes: [UInt8], _ method: HTTPRequest.Method = .get
    ) async throws -> (head: HTTPResponse, body: [UInt8]) {
        try await TestServer.run { server in
            server.route(nil, "/", .raw(bytes))
            return try await withTransport { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/", method)))
                return (response.head, try await response.body.collect())
            }
        }
    }

    @Test func setCookieFieldsStaySeparateAndNoCookieIsSentBack() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let first = "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/"
                server.route(.get, "/", .text("").adding(.setCookie, first).adding(.setCookie, "b=2"))
                for _ in 0..<2 {
                    let response = try await transport.send(TransportRequest(.to(server, "/")))
                    #expect(response.head.headerFields[values: .setCookie] == [first, "b=2"])
                    _ = try await response.body.collect()
                }
                #expect(server.requests.map { $0.fields[.cookie] } == [nil, nil])
            }
        }
    }

    /// The origin sends the head only after the first interim response was passed on.
    @Test func passesOnInterimResponsesAtOnce() async throws {
        let hint = HTTPResponse(status: .init(code: 103), headerFields: [try #require(.init("Link")): "</x>"])
        try await TestServer.run { server in
            let hinted = Gate()
            server.route(
                .get, "/", .text("hi").preceded(by: hint).preceded(by: hint).held { await hinted.pass() })
            try await withTransport { transport in
                let seen = Mutex<[HTTPResponse]>([])
                var request = TransportRequest(.to(server, "/"))
                request.onInterim = { head in
                    // A slow reader of one head delays the next one, and loses none.
                    await Task.yield()
                    seen.withLock { $0.append(head) }
                    hinted.open()
                }
                let response = try await transport.send(request)
                #expect(seen.withLock { $0 } == [hint, hint])
                #expect(response.head.status == .ok)
                #expect(try await response.body.collect() == Array("hi".utf8))
            }
        }
    }

    @Test func trailersAreReadAfterTheBody() async throws {
        let digest = try #require(HTTPField.Name("Content-Digest"))
        try await TestServer.run { server in
            server.route(.get, "/", .text("hi").trailed(by: [digest: "sha-256=:x:"]))
            try await withTransport { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/")))
                #expect(response.body.trailers == nil)
                #expect(try await response.body.collect() == Array("hi".utf8))
                #expect(response.body.trailers == [digest: "sha-256=:x:"])
                #expect(response.head.headerFields[digest] == nil)
            }
        }
    }

    @Test func skipsInterimHeadsAndTrailers() async throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n"
            + "2\r\nhi\r\n0\r\nServer-Timing: db\r\nX: z\r\n\r\n"
        let (head, body) = try await answer(Array(text.utf8))
        #expect(head.headerFields.map(\.value) == ["y"])
        #expect(body == Array("hi".utf8))
    }

    @Test(arguments: ["HTTP/1.1 200\r\n", "HTTP/1.1 200 \r\n", "HTTP/1.0 200 OK\r\n", "HTTP/1.1 200 OK\nX: y\n"])
    func takesUnusualHeads(start: String) async throws {
        let (head, body) = try await answer(Array("\(start)Content-Length: 2\r\n\r\nhi".utf8))
        #expect(head.status == .ok)
        #expect(body == Array("hi".utf8))
    }

    /// libcurl ignores each of these fields. It would deliver the chunk sizes as a part of the
    /// body, and 5 of 11 bytes as a complete body.
    @Test(arguments: [
        "Transfer-Encoding:\r\n chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "Content-Length:\r\n 11\r\n\r\nhello",
        "Content-Length : 11\r\n\r\nhello",
    ])
    func refusesALengthThatLibcurlOverlooks(rest: String) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await answer(Array("HTTP/1.1 200 OK\r\n\(rest)".utf8))
        }
        #expect(error?.code == .invalidResponse)
    }

    @Test func readsABodyToTheEndOfItsConnection() async throws {
        let (head, body) = try await answer(Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8))
        #expect(head.headerFields.isEmpty)
        #expect(body == Array("hello".utf8))
    }

    @Test func bytesBeyondContentLengthAreDropped() async throws {
        let (_, body) = try await answer(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi there".utf8))
        #expect(body == Array("hi".utf8))
    }

    @Test func readsFieldsBeyondASCII() async throws {
        let bytes =
            Array("HTTP/1.1 200 OK\r\nX: sm\u{f8}r\r\nY: ".utf8) + [0xf8] + Array("\r\nContent-Length: 0\r\n\r\n".utf8)
        let (head, _) = try await answer(bytes)
        #expect(head.headerFields[try #require(HTTPField.Name("X"))] == "smør")
        #expect(head.headerFields[try #require(HTTPField.Name("Y"))] == "ø")
    }

    @Test func headKeepsItsCodingAndLength() async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 29\r\n\r\n"
        let (head, body) = try await answer(Array(text.utf8), .head)
        #expect(head.headerFields[.contentEncoding] == "gzip")
        #expect(head.headerFields[.contentLength] == "29")
        #expect(body == [])
    }

    @Test func aRedirectComesWithItsBody() async throws {
        let text = "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 5\r\n\r\nmoved"
        let (head, body) = try await answer(Array(text.utf8))
        #expect(head.headerFields[.location] == "/elsewhere")
        #expect(body == Array("moved".utf8))
    }

    @Test func truncatedGzipThrowsDespiteACompleteFrame() async throws {
        let gzip: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4c, 0x1c, 0x05, 0xa3, 0x60,
            0x14, 0x0c, 0x77, 0x00, 0x00, 0x03, 0xda, 0x38, 0x9a, 0xe8, 0x03, 0x00, 0x00,
        ]
        for head in ["", "Content-Length: 20\r\n"] {
            let error = await #expect(throws: TransportError.self) {
                try await answer(
                    Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(head)\r\n".utf8) + gzip.prefix(20))
            }
            #expect(error?.code == .connectionLost, "\(error?.message ?? "")")
        }
    }

    @Test func stampsTheAnswerByItsClock() async throws {
        try await TestServer.run { server in
            let time = WallTime(secondsSince1970: 1_234_567_890)
            try await withTransport(.patient(wallClock: TestClock(start: time).wall)) { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/")))
                #expect(response.provenance.asOf == time)
                #expect(response.provenance.source == .network)
            }
        }
    }

    @Test func givesTheHeadBeforeTheBody() async throws {
        try await TestServer.run { server in
            let gate = Gate()
            server.route(.get, "/", .text("hello world").heldInBody(after: 5) { await gate.pass() })
            try await withTransport { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/")))
                #expect(response.body.expectedLength == 11)
                var iterator = response.body.makeAsyncIterator()
                #expect(try await iterator.next() == Array("hello".utf8))
                gate.open()
                #expect(try await iterator.next() == Array(" world".utf8))
                #expect(try await iterator.next() == nil)
                #expect(try await iterator.next() == nil)
            }
        }
    }

    @Test func aBodyOverTheLimitEndsTheConnection() async throws {
        try await TestServer.run { server in
            let piece = [UInt8](repeating: 65, count: 65_536)
            server.route(.get, "/", .pieces { _ in piece })
            try await withTransport { transport in
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/"))).body.collect(upTo: 1000)
                }
                #expect(error?.code == .tooLarge)
                let outcome = try await server.outcome(of: 1)
                #expect(outcome == .disconnected)
            }
        }
    }
}
#endif
