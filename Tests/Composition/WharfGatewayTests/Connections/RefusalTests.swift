import Testing
import WharfCore
import WharfFakes

@testable import WharfGateway

/// The requests go over real sockets, so SwiftNIO's parser takes its part.
struct RefusalTests {
    /// Sends bytes, and expects one answer and the end of the connection. `HOST` becomes the
    /// gateway's authority.
    private func expectRefusal(
        _ status: Int, of request: String, _ configuration: GatewayConfiguration = .patient,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let origin = RecordingTransport()
        try await withGateway(over: origin, configuration) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send(bytes: request.replacing("HOST", with: gateway.authority))
                let answer = try await client.answer()
                #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
                #expect(!answer.text.isEmpty, sourceLocation: sourceLocation)
                #expect(answer["cache-status"] == "wharf; detail=REFUSED", sourceLocation: sourceLocation)
                #expect(answer["connection"] == "close", sourceLocation: sourceLocation)
                // A smuggled request would be answered here.
                #expect(try await client.rest() == [], sourceLocation: sourceLocation)
            }
        }
        #expect(origin.requests.map(\.head.path) == [], sourceLocation: sourceLocation)
    }

    static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n"

    @Test(arguments: [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
        "Content-Length: 0, 40\r\n\r\n", "Content-Length: +0\r\n\r\n", "Content-Length: 0x0\r\n\r\n",
        "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity\r\nContent-Length: 0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding: \u{b}chunked\r\n\r\n0\r\n\r\n",
        "X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "Content-Length : 0\r\n\r\n",
        "X: a\rContent-Length: 0\r\n\r\n", "X\r\n\r\n", ": a\r\n\r\n", "X y: a\r\n\r\n", "X: a\u{0}b\r\n\r\n",
    ])
    func ambiguousFramingIsRefused(fields: String) async throws {
        try await expectRefusal(400, of: "POST / HTTP/1.1\r\nHost: HOST\r\n\(fields)\(Self.smuggled)")
    }

    /// RFC 9112 §6.1: a coding that is not known.
    @Test(arguments: ["gzip, chunked", "xchunked"])
    func unknownTransferCodingIsRefused(coding: String) async throws {
        try await expectRefusal(
            501,
            of: "POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n\(Self.smuggled)")
    }

    @Test func chunksInHTTP10AreRefused() async throws {
        try await expectRefusal(
            400, of: "POST / HTTP/1.0\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n\(Self.smuggled)")
    }

    @Test(arguments: [
        "x\r\n", "-1\r\na", "\r\n", "1;\u{0}\r\na\r\n", "0x1\r\na\r\n", "1\r\naa", "FFFFFFFFFFFFFFFFF\r\n",
    ])
    func badChunkingIsRefused(chunk: String) async throws {
        let origin = RecordingTransport()
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("POST / HTTP/1.1", "Host: \(gateway.authority)", "Transfer-Encoding: chunked", "")
                try await client.send(bytes: "3\r\nabc\r\n" + chunk)
                let answer = try await client.answer()
                #expect((answer.status, answer["connection"]) == (400, "close"))
                #expect(try await client.rest() == [])
            }
        }
    }

    @Test func badChunkingInMidAnswerClosesTheConnection() async throws {
        let origin = ClosureTransport { request in
            guard case .stream(let body, _) = request.body else { return .text("no body") }
            let upload = body()
            return .stream(
                Pieces { _ throws(TransportError) in
                    var pieces = upload.makeAsyncIterator()
                    return try await pieces.next(isolation: nil)
                })
        }
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("POST / HTTP/1.1", "Host: \(gateway.authority)", "Transfer-Encoding: chunked", "")
                try await client.send("3", "abc")
                #expect(try await client.head().status == 200)
                #expect(try await client.bytes(8) == Array("3\r\nabc\r\n".utf8))
                try await client.send("x", "")
                // Neither a second answer nor the last chunk.
                #expect(try await client.rest() == [])
            }
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: other.test\r\n\r\n", 421),
        ("GET http://other.test/ HTTP/1.1\r\nHost: HOST\r\n\r\n", 421),
        ("GET /%zz HTTP/1.1\r\nHost: HOST\r\n\r\n", 400), ("GET /a#b HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
        ("GET /ä HTTP/1.1\r\nHost: HOST\r\n\r\n", 400), ("GET / a HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
        ("CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n", 501), ("TRACE / HTTP/1.1\r\nHost: HOST\r\n\r\n", 501),
        ("get / HTTP/1.1\r\nHost: HOST\r\n\r\n", 501), ("FROB / HTTP/1.1\r\nHost: HOST\r\n\r\n", 501),
        ("GET / HTTP/2.0\r\nHost: HOST\r\n\r\n", 505), ("GET / HTTP/1.1\r\nHost: HOST\r\nExpect: tea\r\n\r\n", 417),
    ])
    func requestThatCantBePassedOnIsRefused(request: String, status: Int) async throws {
        try await expectRefusal(status, of: request)
    }

    @Test func absoluteTargetOfTheGatewayIsServed() async throws {
        let origin = RecordingTransport()
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("GET \(gateway.url)/a?b HTTP/1.1", "Host: ignored.test", "")
                #expect(try await client.answer().status == 200)
            }
        }
        #expect(origin.requests.map(\.head.path) == ["/a?b"])
    }

    @Test func longHeadIsRefused() async throws {
        var configuration = GatewayConfiguration.patient
        configuration.requestHeadLimit = 1_000
        let long = String(repeating: "x", count: 1_000)
        for request in [
            "GET / HTTP/1.1\r\nHost: HOST\r\nX: \(long)\r\n\r\n", "GET /\(long) HTTP/1.1\r\nHost: HOST\r\n\r\n",
            // The head has no end.
            "GET / HTTP/1.1\r\nHost: HOST\r\n\(String(repeating: "X: y\r\n", count: 500))",
        ] {
            try await expectRefusal(431, of: request, configuration)
        }
    }

    @Test func longBodyIsRefused() async throws {
        var configuration = GatewayConfiguration.patient
        configuration.requestBodyLimit = 10
        try await expectRefusal(
            413, of: "PUT / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 11\r\n\r\n12345678901", configuration)
        let origin = RecordingTransport()
        try await withGateway(over: origin, configuration) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("PUT / HTTP/1.1", "Host: \(gateway.authority)", "Transfer-Encoding: chunked", "")
                try await client.send("A", "1234567890", "1", "1")
                #expect(try await client.answer().status == 413)
                #expect(try await client.rest() == [])
            }
        }
    }

    @Test func headIsRefusedWithoutABody() async throws {
        try await withGateway(over: RecordingTransport()) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send("HEAD /%zz HTTP/1.1", "Host: \(gateway.authority)", "")
                let head = try await client.head()
                #expect(head.status == 400 && head["content-length"] != "0")
                #expect(try await client.rest() == [])
            }
        }
    }
}
