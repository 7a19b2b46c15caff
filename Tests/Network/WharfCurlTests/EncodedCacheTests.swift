#if os(Linux) && TestServer
import Synchronization
import Testing
import TransportStages
import WharfCache
import WharfContentCoding
import WharfCore
import WharfCurl
import WharfFakes
import WharfRandom
import WharfTestServer

/// A cache between libcurl and the decoder, as a stack composes them.
struct EncodedCacheTests {
    private struct Rig {
        let server: TestServer
        let cache: CachingTransport
        /// Decodes above the cache.
        var reader: ContentDecodingTransport { ContentDecodingTransport(cache) }

        func request(
            _ fields: HTTPFields = [:], _ mode: CacheMode = .normal, _ method: HTTPRequest.Method = .get
        ) -> TransportRequest {
            var head = HTTPRequest.to(server, "/", method)
            head.headerFields = fields
            return TransportRequest(head, cache: mode)
        }

        func read(
            _ request: TransportRequest, by transport: any Transport
        ) async throws -> (response: TransportResponse, body: [UInt8]) {
            let response = try await transport.send(request)
            return (response, try await response.body.collect())
        }
    }

    private static let plain = Array(String(repeating: "hello ", count: 1000).utf8)

    private func run(_ answer: TestResponse, _ body: (Rig) async throws -> Void) async throws {
        try await TestServer.run { server in
            server.route(nil, "/", answer)
            try await withTransport { transport in
                let cache = CachingTransport(transport, store: MemoryCacheStore()) { Issue.record("\($0.message)") }
                try await body(Rig(server: server, cache: cache))
            }
        }
    }

    private func encoded(_ fields: HTTPFields) throws -> TestResponse {
        let body = try #require(Gzip.encode(Self.plain))
        var response = TestResponse(fields: fields, body: body)
        response.fields[.contentEncoding] = "gzip"
        return response
    }

    @Test func gzipBodyIsStoredEncodedAndDecodedOffline() async throws {
        let answer = try encoded([.vary: "Accept-Encoding", .cacheControl: "max-age=60"])
        try await run(answer) { rig in
            for mode in [CacheMode.normal, .storedOnly] {
                let (response, body) = try await rig.read(rig.request([:], mode), by: rig.reader)
                #expect(body == Self.plain)
                #expect(response.head.headerFields[.contentEncoding] == nil)
                #expect(response.head.headerFields[.contentLength] == nil)
                #expect(response.provenance.source == (mode == .normal ? .network : .httpCache))
            }
            let accepted = try #require(rig.server.requests.first?.fields[.acceptEncoding])
            let raw = try await rig.read(rig.request([.acceptEncoding: accepted], .storedOnly), by: rig.cache)
            #expect(raw.response.head.headerFields[.contentEncoding] == "gzip")
            #expect(raw.body == Gzip.encode(Self.plain))
            #expect(raw.response.head.headerFields[.contentLength] == "\(raw.body.count)")
            #expect(rig.server.requests.count == 1)
        }
    }

    @Test func confirmedGzipBodyStaysEncodedInTheCache() async throws {
        try await run(try encoded([.vary: "Accept-Encoding"]).maxAge(0).etag("\"1\"")) { rig in
            for source in [Source.network, .revalidated, .revalidated] {
                let (response, body) = try await rig.read(rig.request(), by: rig.reader)
                #expect(body == Self.plain)
                #expect(response.provenance.source == source)
            }
        }
    }

    @Test func storedGzipBodyReplacesAFailure() async throws {
        try await run(try encoded([.vary: "Accept-Encoding"]).maxAge(0).etag("\"1\"")) { rig in
            _ = try await rig.read(rig.request(), by: rig.reader)
            rig.server.route(nil, "/", .dropped)
            let (response, body) = try await rig.read(rig.request(), by: rig.reader)
            #expect(body == Self.plain)
            #expect(response.provenance.failure?.code == .connectionLost)
        }
    }

    @Test func headOfAStoredGzipBodyDescribesTheEncodedBytes() async throws {
        try await run(try encoded([.vary: "Accept-Encoding"]).maxAge(60)) { rig in
            let stored = try await rig.read(rig.request(), by: rig.reader)
            #expect(stored.body == Self.plain)
            let (response, body) = try await rig.read(rig.request([:], .storedOnly, .head), by: rig.reader)
            #expect(body == [])
            #expect(response.head.headerFields[.contentEncoding] == "gzip")
            #expect(response.head.headerFields[.contentLength] == Gzip.encode(Self.plain).map { "\($0.count)" })
        }
    }

    /// Its bytes would be the beginning of each later answer, which would fail at the same byte.
    @Test func beginningOfABodyWithABrokenCodingIsNotStored() async throws {
        var random = SeededGenerator(seed: 1)
        let valid = try #require(Gzip.encode((0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }))
        var answer = TestResponse(
            fields: [.contentEncoding: "gzip"], body: valid + [UInt8](repeating: 1, count: 1_000_000))
        answer = answer.maxAge(60).etag("\"1\"")
        try await run(answer) { rig in
            for _ in 0..<2 {
                do {
                    _ = try await rig.read(rig.request(), by: rig.reader)
                    Issue.record("it was decoded")
                } catch let error as TransportError {
                    #expect(error.code == .invalidResponse)
                }
                await rig.cache.abandonedBodiesEnd()
            }
            #expect(rig.server.requests.count == 2)
            #expect(rig.server.requests.allSatisfy { $0.fields[.range] == nil })
        }
    }

    /// The decoder asks for a range without `Accept-Encoding`, and can't decode a part.
    @Test func rangeOfAStoredGzipBodyGetsTheWholeBodyDecoded() async throws {
        try await run(try encoded([:]).maxAge(60)) { rig in
            _ = try await rig.read(rig.request(), by: rig.reader)
            let whole = try await rig.read(rig.request([.range: "bytes=0-4"], .storedOnly), by: rig.reader)
            #expect(whole.response.head.status == .ok)
            #expect(whole.response.head.headerFields[.contentRange] == nil)
            #expect(whole.body == Self.plain)
            let part = try await rig.read(
                rig.request([.range: "bytes=0-4", .acceptEncoding: "gzip"], .storedOnly), by: rig.reader)
            #expect(part.response.head.status == .partialContent)
            #expect(part.response.head.headerFields[.contentEncoding] == "gzip")
            #expect(part.body == Gzip.encode(Self.plain).map { Array($0.prefix(5)) })
        }
    }

    /// Up to 0.9 libcurl's bodies were decoded below the cache.
    @Test func bodyThatWasStoredDecodedStaysReadable() async throws {
        try await run(try encoded([.vary: "Accept-Encoding"]).maxAge(60)) { rig in
            let before = try await rig.read(rig.request(), by: rig.cache)
            #expect(before.response.head.headerFields[.contentEncoding] == nil)
            for fields in [[:], [.range: "bytes=0-4"]] as [HTTPFields] {
                let (response, body) = try await rig.read(rig.request(fields, .storedOnly), by: rig.reader)
                #expect(response.provenance.source == .httpCache)
                #expect(body == (fields.isEmpty ? Self.plain : Array("hello".utf8)))
            }
        }
    }

    @Test func interimResponsesAndTrailersPassTheCacheAndAreNotStored() async throws {
        let hint = HTTPResponse(status: .init(code: 103), headerFields: [try #require(.init("Link")): "</x>"])
        let timing = try #require(HTTPField.Name("Server-Timing"))
        try await run(try encoded([:]).maxAge(60).preceded(by: hint).trailed(by: [timing: "db"])) { rig in
            for isStored in [false, true] {
                let heads = Mutex<[HTTPResponse]>([])
                var request = rig.request()
                request.onInterim = { head in heads.withLock { $0.append(head) } }
                let (response, body) = try await rig.read(request, by: rig.reader)
                #expect(body == Self.plain)
                #expect(heads.withLock { $0 } == (isStored ? [] : [hint]))
                #expect(response.body.trailers == (isStored ? nil : [timing: "db"]))
                #expect(response.head.headerFields[timing] == nil)
            }
        }
    }
}
#endif
