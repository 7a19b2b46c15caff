import Testing
import WharfContentCoding
import WharfCore

struct HeadTests {
    private static let gzip = Encoding.gzip.encode(Array("hello".utf8))

    private func send(
        _ upstream: FixedTransport, _ change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> TransportResponse {
        var request = TransportRequest.get
        change(&request)
        return try await ContentDecodingTransport(upstream).send(request)
    }

    @Test func acceptEncodingListsTheAvailableCodings() async throws {
        let upstream = FixedTransport([:], chunks: [])
        _ = try await send(upstream)
        #expect(upstream.request?.head.headerFields[.acceptEncoding] == "gzip, deflate, br, zstd")
    }

    @Test func theHeadOfADecodedBodyHasNeitherCodingNorLength() async throws {
        let fields: HTTPFields = [.contentEncoding: "x-gzip", .contentLength: "25", .contentType: "text/plain"]
        let response = try await send(FixedTransport(fields, chunks: [Self.gzip], expectedLength: 25))
        #expect(response.head.headerFields == [.contentType: "text/plain"])
        #expect(response.body.expectedLength == nil)
        #expect(try await response.body.collect() == Array("hello".utf8))
    }

    @Test(arguments: [(HTTPRequest.Method.head, HTTPResponse.Status.ok), (.get, .noContent), (.get, .notModified)])
    func withoutABodyTheHeadStays(method: HTTPRequest.Method, status: HTTPResponse.Status) async throws {
        let fields: HTTPFields = [.contentEncoding: "gzip", .contentLength: "25"]
        let response = try await send(FixedTransport(fields, status, chunks: [])) { $0.head.method = method }
        #expect(response.head.headerFields == fields)
        #expect(try await response.body.collect() == [])
    }

    @Test func aBodyOfLengthZeroIsWhole() async throws {
        let fields: HTTPFields = [.contentEncoding: "gzip", .contentLength: "0"]
        #expect(try await send(FixedTransport(fields, chunks: [])).body.collect() == [])
    }

    @Test func trailersComeAfterTheDecodedBody() async throws {
        let upstream = FixedTransport([.contentEncoding: "gzip"], chunks: [Self.gzip], trailers: [.via: "last"])
        let response = try await ContentDecodingTransport(upstream).send(.get)
        #expect(try await response.body.collect() == Array("hello".utf8))
        #expect(response.body.trailers == [.via: "last"])
    }

    @Test func aPartOfABodyStaysEncoded() async throws {
        let fields: HTTPFields = [.contentEncoding: "gzip", .contentRange: "bytes 0-4/25"]
        let upstream = FixedTransport(fields, .partialContent, chunks: [Array(Self.gzip.prefix(5))])
        let response = try await send(upstream) { $0.head.headerFields[.range] = "bytes=0-4" }
        #expect(upstream.request?.head.headerFields[.acceptEncoding] == nil)
        #expect(response.head.headerFields == fields)
        #expect(try await response.body.collect() == Array(Self.gzip.prefix(5)))
    }

    @Test(arguments: ["compress", "gzip, compress"])
    func anUnknownCodingStays(coding: String) async throws {
        let fields: HTTPFields = [.contentEncoding: coding, .contentLength: "3"]
        let response = try await send(FixedTransport(fields, chunks: [[1, 2, 3]]))
        #expect(response.head.headerFields == fields)
        #expect(try await response.body.collect() == [1, 2, 3])
    }

    @Test func anAcceptEncodingOfTheCallerLeavesTheBodyAlone() async throws {
        let upstream = FixedTransport([.contentEncoding: "gzip"], chunks: [Self.gzip])
        let response = try await send(upstream) { $0.head.headerFields[.acceptEncoding] = "gzip" }
        #expect(upstream.request?.head.headerFields[.acceptEncoding] == "gzip")
        #expect(response.head.headerFields[.contentEncoding] == "gzip")
        #expect(try await response.body.collect() == Self.gzip)
    }
}
