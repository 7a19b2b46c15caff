import AsyncHTTPClient
import NIOHTTPCompression
import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfServer
import WharfTestServer

/// The handling of `Content-Encoding`, in addition to the laws.
struct ContentTests {
    /// A thousand times "a", compressed by `gzip`.
    private static let gzip: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4c, 0x1c, 0x05, 0xa3, 0x60,
        0x14, 0x0c, 0x77, 0x00, 0x00, 0x03, 0xda, 0x38, 0x9a, 0xe8, 0x03, 0x00, 0x00,
    ]

    private func withTransport(
        _ configuration: HTTPClient.Configuration = .patient,
        _ body: (AsyncHTTPClientTransport) async throws -> Void
    ) async throws {
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        do {
            try await body(transport)
            await transport.close()
        } catch {
            await transport.close()
            throw error
        }
    }

    @Test(arguments: [(HTTPRequest.Method.head, HTTPResponse.Status.ok), (.get, .notModified), (.get, .noContent)])
    func anEncodingWithoutABodyIsNoError(method: HTTPRequest.Method, status: HTTPResponse.Status) async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .status(status, fields: [.contentEncoding: "gzip"]))
            try await withTransport { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/", method)))
                #expect(response.head.status == status)
                #expect(response.head.headerFields[.contentEncoding] == "gzip")
                #expect(try await response.body.collect() == [])
            }
        }
    }

    @Test func undecodedCodingStaysInTheHead() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .text("as it is", fields: [.contentEncoding: "compress"]))
            try await withTransport { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/")))
                #expect(response.head.headerFields[.contentEncoding] == "compress")
                #expect(response.head.headerFields[.contentLength] == "8")
                #expect(try await response.body.collect() == Array("as it is".utf8))
            }
        }
    }

    @Test func truncatedGzipThrowsDespiteACompleteFrame() async throws {
        try await TestServer.run { server in
            let cut = Array(Self.gzip.dropLast(12))
            server.route(.get, "/", TestResponse(fields: [.contentEncoding: "gzip"], body: cut))
            try await withTransport { transport in
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/"))).body.collect()
                }
                #expect(error?.code == .connectionLost, "\(error?.message ?? "")")
            }
        }
    }

    @Test func limitOfACollectedBodyCountsDecodedBytes() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", TestResponse(fields: [.contentEncoding: "gzip"], body: Self.gzip))
            try await withTransport { transport in
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/"))).body.collect(upTo: 999)
                }
                #expect(error?.code == .tooLarge, "\(error?.message ?? "")")
            }
        }
    }

    @Test func ownAcceptEncodingGetsTheBytesAsSent() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", TestResponse(fields: [.contentEncoding: "gzip"], body: Self.gzip))
            try await withTransport { transport in
                var head = HTTPRequest.to(server, "/")
                head.headerFields[.acceptEncoding] = "gzip;q=0.5"
                let response = try await transport.send(TransportRequest(head))
                #expect(response.head.headerFields[.contentEncoding] == "gzip")
                #expect(response.head.headerFields[.contentLength] == "\(Self.gzip.count)")
                #expect(response.body.expectedLength == Int64(Self.gzip.count))
                #expect(try await response.body.collect() == Self.gzip)
            }
            #expect(server.requests.map { $0.fields[values: .acceptEncoding] } == [["gzip;q=0.5"]])
        }
    }

    @Test func clientThatDecodesByItselfIsSetNotTo() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", TestResponse(fields: [.contentEncoding: "gzip"], body: Self.gzip))
            var configuration = HTTPClient.Configuration.patient
            configuration.decompression = .enabled(limit: .size(999))
            try await withTransport(configuration) { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/")))
                #expect(response.head.headerFields[.contentEncoding] == nil)
                #expect(try await response.body.collect() == [UInt8](repeating: UInt8(ascii: "a"), count: 1000))
            }
        }
    }
}
