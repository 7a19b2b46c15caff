#if os(Linux) && TestServer
import Foundation
import Testing
import WharfChecks
import WharfCore
import WharfCurl

@Suite(Programs.nghttpd) struct HTTP2Tests {
    /// Runs nghttpd over a folder with a long and a short file.
    private func run(
        _ body: @escaping (CurlTransport, (_ path: String) -> TransportRequest) async throws -> Void
    ) async throws {
        try await TestIdentity.run { identity in
            try await TemporaryFolder.run { folder in
                try Data("hello".utf8).write(to: URL(filePath: "\(folder.path)/short"))
                try Data(repeating: 65, count: 50_000_000).write(to: URL(filePath: "\(folder.path)/long"))
                try await Peer.run(["h2", identity.certificate, identity.key, folder.path]) { peer in
                    try await withTransport(.trusting(identity)) { transport in
                        try await body(transport) { peer.request($0, scheme: "https", host: "localhost") }
                    }
                }
            }
        }
    }

    @Test func aServerThatSpeaksHTTP2IsRead() async throws {
        try await run { transport, request in
            let short = try await transport.send(request("/short"))
            #expect(short.head.status == .ok)
            #expect(try await short.body.collect() == Array("hello".utf8))
            #expect(try await transport.send(request("/long")).body.collect().count == 50_000_000)
            #expect(try await transport.send(request("/missing")).head.status == .notFound)
        }
    }

    @Test func manyRequestsShareAConnection() async throws {
        try await run { transport, request in
            let right = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<200 {
                    group.addTask { [request = request("/short")] in
                        do throws(TransportError) {
                            return try await transport.send(request).body.collect() == Array("hello".utf8)
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(right == 200)
        }
    }

    @Test func unreadBodiesBlockNoOtherRequest() async throws {
        try await run { transport, request in
            var unread: [TransportResponse] = []
            for _ in 0..<7 { unread.append(try await transport.send(request("/long"))) }
            #expect(try await transport.send(request("/short")).body.collect() == Array("hello".utf8))
            for response in unread.prefix(2) { #expect(try await response.body.collect().count == 50_000_000) }
            unread = []
            #expect(try await transport.send(request("/short")).body.collect() == Array("hello".utf8))
        }
    }

    @Test func anUploadIsSent() async throws {
        try await run { transport, request in
            var post = request("/short")
            post.head.method = .post
            post.body = .stream({ BodyStream([UInt8](repeating: 65, count: 3_000_000)) }, length: nil)
            let response = try await transport.send(post)
            #expect(response.head.status == .ok)
            _ = try await response.body.collect()
        }
    }

    @Test func aBodyThatEndsWithItsConnectionThrows() async throws {
        try await Peer.run(["h2cut"]) { peer in
            let transport = CurlTransport(version: .http2PriorKnowledge)
            defer { transport.close() }
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(peer.request()).body.collect()
            }
            #expect(error?.code == .connectionLost, "\(error?.message ?? "")")
        }
    }
}
#endif
