import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfTestServer

@testable import WharfGateway

/// Content codings from the origin through the cache to clients with and without `Accept-Encoding`.
struct ContentCodingTests {
    private let clock = TestClock()

    /// The text "hello", compressed by `gzip`.
    private static let gzip: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x86,
        0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
    ]

    private func run(_ server: TestServer, _ body: (Gateway, RawClient) async throws -> Void) async throws {
        try await withClient(wallClock: clock.wall) { client in
            let caching = CachingTransport(
                client, store: MemoryCacheStore(), configuration: .shared, clock: clock.wall,
                onIncident: { Issue.record("\($0)") })
            try await withGateway(over: caching, origin: server.baseURL) { gateway in
                try await RawClient.run(gateway) { try await body(gateway, $0) }
            }
        }
    }

    private func expectGzip(_ answer: RawAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.body == Self.gzip, sourceLocation: sourceLocation)
        #expect(answer["content-encoding"] == "gzip", sourceLocation: sourceLocation)
        #expect(answer["content-length"] == "\(Self.gzip.count)", sourceLocation: sourceLocation)
    }

    private func expectText(_ answer: RawAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.text == "hello", sourceLocation: sourceLocation)
        #expect(answer["content-encoding"] == nil, sourceLocation: sourceLocation)
    }

    /// The origin sends gzip only when asked, with a tag for each coding.
    private func negotiate(_ server: TestServer) {
        server.route(.get, "/a") { request in
            let isAsked = request.fields[.acceptEncoding]?.contains("gzip") == true
            let tag = isAsked ? "\"1-gzip\"" : "\"1\""
            var fields: HTTPFields = [.vary: "Accept-Encoding", .eTag: tag, .cacheControl: "max-age=60"]
            if request.fields[.ifNoneMatch] == tag { return TestResponse(.notModified, fields: fields) }
            if isAsked { fields[.contentEncoding] = "gzip" }
            return TestResponse(fields: fields, body: isAsked ? Self.gzip : Array("hello".utf8))
        }
    }

    @Test func clientThatAsksGetsTheBytesOfTheOrigin() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            negotiate(server)
            try await run(server) { gateway, client in
                for (age, status) in [(0, "wharf; fwd=uri-miss"), (1, "wharf; hit"), (99, "wharf; fwd=stale")] {
                    clock.advance(by: .seconds(age))
                    try await client.get("/a", of: gateway, "Accept-Encoding: gzip;q=0.5")
                    let answer = try await client.answer()
                    expectGzip(answer)
                    #expect((answer["vary"], answer["etag"]) == ("Accept-Encoding", "\"1-gzip\""))
                    #expect(answer["cache-status"]?.hasPrefix(status) == true)
                }
            }
            // A conditional request has it too, because the stored response was selected by it.
            #expect(server.requests.map { $0.fields[.acceptEncoding] } == ["gzip;q=0.5", "gzip;q=0.5"])
        }
    }

    @Test func clientThatDoesNotAskGetsText() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            negotiate(server)
            try await run(server) { gateway, client in
                for _ in 0..<2 {
                    try await client.get("/a", of: gateway, "Accept-Encoding: gzip")
                    expectGzip(try await client.answer())
                    for field in [[], ["Accept-Encoding: identity"]] {
                        try await client.send(
                            bytes: (["GET /a HTTP/1.1", "Host: \(gateway.authority)"] + field + ["", ""])
                                .joined(separator: "\r\n"))
                        let plain = try await client.answer()
                        expectText(plain)
                        // The tag of these bytes, by which the client can edit.
                        #expect(plain["etag"] == "\"1\"")
                    }
                }
            }
            #expect(server.requests.map { $0.fields[.acceptEncoding] } == ["gzip", "identity"])
        }
    }

    /// The origin always sends gzip, and without `Vary`, so the cache serves its answer to each
    /// client.
    @Test(arguments: [true, false])
    func unaskedGzipIsDecodedForAClientThatDoesNotAsk(isFirst: Bool) async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", TestResponse(fields: [.contentEncoding: "gzip"], body: Self.gzip).maxAge(60))
            try await run(server) { gateway, client in
                if isFirst {
                    try await client.get("/a", of: gateway)
                    expectText(try await client.answer())
                } else {
                    try await client.get("/a", of: gateway, "Accept-Encoding: gzip")
                    expectGzip(try await client.answer())
                }
                try await client.get("/a", of: gateway)
                let answer = try await client.answer()
                expectText(answer)
                #expect(answer["cache-status"] == "wharf; hit; ttl=60")
            }
            #expect(server.requests.count == 1)
        }
    }

    /// The origin always sends gzip, and continues it for a client with its strong tag.
    ///
    /// RFC 9110 §15.3.7: a client with that tag may combine the part with the bytes that it has.
    @Test func decodedBytesAreNotContinuedByEncodedOnes() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a") { request in
                var fields: HTTPFields = [.contentEncoding: "gzip", .eTag: "\"1\"", .cacheControl: "no-store"]
                guard request.fields[.ifRange] == "\"1\"" else { return TestResponse(fields: fields, body: Self.gzip) }
                fields[.contentRange] = "bytes 3-24/25"
                return TestResponse(.partialContent, fields: fields, body: Array(Self.gzip[3...]))
            }
            try await run(server) { gateway, client in
                // Its answer describes the bytes of a GET.
                try await client.send("HEAD /a HTTP/1.1", "Host: \(gateway.authority)", "")
                #expect(try await client.answer(isForHead: true)["etag"] == "W/\"1\"")
                try await client.get("/a", of: gateway)
                let whole = try await client.answer()
                expectText(whole)
                #expect(whole["etag"] == "W/\"1\"")
                let tag = try #require(whole["etag"])
                try await client.get("/a", of: gateway, "Range: bytes=3-", "If-Range: \(tag)")
                let rest = try await client.answer()
                #expect(rest.status == 200)
                expectText(rest)
            }
        }
    }

    /// A client's cache takes the tag of a 304 for its own body (RFC 9111 §3.2).
    @Test func weakTagOfADecodedAnswerIsConfirmedAsWeak() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(
                .get, "/a",
                TestResponse(fields: [.contentEncoding: "gzip", .eTag: "\"1\""], body: Self.gzip).maxAge(60))
            try await run(server) { gateway, client in
                try await client.get("/a", of: gateway)
                expectText(try await client.answer())
                for (asked, told) in [("W/\"1\"", "W/\"1\""), ("\"1\"", "\"1\"")] {
                    try await client.get("/a", of: gateway, "If-None-Match: \(asked)")
                    let answer = try await client.answer()
                    #expect((answer.status, answer["etag"]) == (304, told))
                }
                // A client that reads the encoded bytes has their tag.
                try await client.get("/a", of: gateway, "Accept-Encoding: gzip")
                let encoded = try await client.answer()
                expectGzip(encoded)
                #expect(encoded["etag"] == "\"1\"")
            }
            #expect(server.requests.count == 1)
        }
    }

    /// A client without `Accept-Encoding` has decoded bytes before its range.
    @Test func rangeOfAnEncodedAnswerIsNotSpliced() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", TestResponse(fields: [.contentEncoding: "gzip"], body: Self.gzip).maxAge(60))
            try await run(server) { gateway, client in
                try await client.get("/a", of: gateway, "Accept-Encoding: gzip")
                expectGzip(try await client.answer())
                try await client.get("/a", of: gateway, "Range: bytes=1-2")
                let whole = try await client.answer()
                #expect(whole.status == 200)
                expectText(whole)
                try await client.get("/a", of: gateway, "Range: bytes=1-2", "Accept-Encoding: gzip")
                let part = try await client.answer()
                #expect((part.status, part.body) == (206, Array(Self.gzip[1...2])))
                #expect((part["content-encoding"], part["content-range"]) == ("gzip", "bytes 1-2/25"))
            }
            #expect(server.requests.count == 1)
        }
    }

    /// A client that asks gets the bytes as they are, and decides itself.
    @Test func brokenGzipIsPassedOnOrBrokenOff() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            let garbage = Array("no gzip at all".utf8)
            for path in ["/a", "/b"] {
                server.route(.get, path, TestResponse(fields: [.contentEncoding: "gzip"], body: garbage).maxAge(60))
            }
            try await run(server) { gateway, client in
                // The client that can't decode: its body breaks off.
                await #expect(throws: RawClient.Ended.self) {
                    try await client.get("/b", of: gateway)
                    _ = try await client.answer()
                }
                try await RawClient.run(gateway) { client in
                    try await client.get("/a", of: gateway, "Accept-Encoding: gzip")
                    let answer = try await client.answer()
                    #expect((answer.body, answer["content-encoding"]) == (garbage, "gzip"))
                    #expect(answer["cache-status"] == "wharf; fwd=uri-miss; fwd-status=200; stored")
                    try await client.get("/a", of: gateway)
                    await #expect(throws: RawClient.Ended.self) { try await client.answer() }
                }
            }
        }
    }
}
