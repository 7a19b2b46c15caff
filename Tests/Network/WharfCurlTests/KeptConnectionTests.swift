#if os(Linux) && TestServer
import Synchronization
import Testing
import TransportStages
import WharfCore
import WharfCurl
import WharfFaults
import WharfTestServer

/// A server may close an idle connection at the moment when the next request is sent on it (RFC
/// 9112 §9.5).
struct KeptConnectionTests {
    /// Sends a request that is answered, and a second one. The server closes the connections of the
    /// second one without an answer, `closing` times.
    private func send(
        _ method: HTTPRequest.Method, _ body: RequestBody, isIdempotent: Bool? = nil, closing: Int = 1
    ) async throws -> (outcome: Result<[UInt8], TransportError>, requests: [TestRequest]) {
        try await TestServer.run { server in
            server.route(nil, "/first", .text("first"))
            server.route(nil, "/second") { $0.connection <= closing ? .dropped : .text("second") }
            return try await withTransport { transport in
                func exchange(_ path: String) async throws(TransportError) -> [UInt8] {
                    let request = TransportRequest(.to(server, path, method), body: body, isIdempotent: isIdempotent)
                    return try await transport.send(request).body.collect()
                }
                let first = try await exchange("/first")
                #expect(first == Array("first".utf8))
                do throws(TransportError) {
                    return (.success(try await exchange("/second")), Array(server.requests.dropFirst()))
                } catch {
                    return (.failure(error), Array(server.requests.dropFirst()))
                }
            }
        }
    }

    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }

    @Test(arguments: [HTTPRequest.Method.get, .put, .delete, .query], [0, 10, bytes.count])
    func anIdempotentRequestIsSentAgainWhole(method: HTTPRequest.Method, count: Int) async throws {
        let body = Array(Self.bytes.prefix(count))
        let (outcome, requests) = try await send(method, count == 0 ? .none : .bytes(body))
        #expect(try outcome.get() == Array("second".utf8))
        #expect(requests.map(\.body) == [body, body])
        #expect(Set(requests.map(\.connection)).count == 2)
    }

    @Test func postMarkedIdempotentIsSentAgain() async throws {
        let body = RequestBody.stream({ BodyStream(Self.bytes) }, length: nil)
        let (outcome, requests) = try await send(.post, body, isIdempotent: true)
        #expect(try outcome.get() == Array("second".utf8))
        #expect(requests.last?.body == Self.bytes)
    }

    @Test(arguments: ["POST", "PATCH", "LOCK"], [nil, 0, 10, bytes.count] as [Int?])
    func nonIdempotentRequestIsSentOnce(method: String, count: Int?) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let (outcome, requests) = try await send(method, count.map { .bytes(Array(Self.bytes.prefix($0))) } ?? .none)
        let error = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("isIdempotent") == true, "\(error?.message ?? "")")
        #expect(requests.count == 1)
    }

    @Test func aStreamOfAPostIsSentOnce() async throws {
        let (outcome, requests) = try await send(.post, .stream({ BodyStream(Self.bytes) }, length: nil))
        #expect(throws: TransportError.self) { try outcome.get() }
        #expect(requests.count == 1)
    }

    @Test func bodySentInPartIsSentAgainWhole() async throws {
        let body = [UInt8](repeating: 65, count: 8_000_000)
        try await TestServer.run { server in
            server.route(nil, "/*", .text("hello"))
            try await FaultProxy.run(to: server.authority, [.reset(afterBytes: 100_000, .toServer).first(1)]) { proxy in
                try await withTransport { transport in
                    var head = HTTPRequest.to(server, "/")
                    head.authority = proxy.authority
                    _ = try await transport.send(TransportRequest(head)).body.collect()
                    head.method = .put
                    _ = try await transport.send(TransportRequest(head, body: .bytes(body))).body.collect()
                    #expect(server.requests.map(\.body.count) == [0, body.count])
                }
            }
        }
    }

    @Test func aServerThatClosesEachConnectionIsTriedTwice() async throws {
        let (outcome, requests) = try await send(.put, .bytes([1]), closing: .max)
        let error = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(error?.code == .connectionLost)
        #expect(requests.count == 2)
    }

    @Test func requestOnABrokenNewConnectionIsNotRetried() async throws {
        try await TestServer.run { server in
            server.route(nil, "/*", .dropped)
            try await withTransport { transport in
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/")))
                }
                #expect(error?.code == .connectionLost)
                #expect(server.requests.count == 1)
            }
        }
    }

    /// Twenty idle connections are all closed. The next requests must not depend on the time at
    /// which the transport notices that.
    @Test func requestsSucceedAfterAllKeptConnectionsClose() async throws {
        try await TestServer.run { server in
            server.route(nil, "/*", .text("hello"))
            try await withTransport { transport in
                func answers() async -> Int {
                    await withTaskGroup(of: Bool.self) { group in
                        for _ in 0..<20 {
                            group.addTask {
                                do throws(TransportError) {
                                    let response = try await transport.send(TransportRequest(.to(server, "/")))
                                    return try await response.body.collect() == Array("hello".utf8)
                                } catch {
                                    return false
                                }
                            }
                        }
                        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                    }
                }
                for _ in 0..<5 {
                    #expect(await answers() == 20)
                    await server.dropConnections()
                }
            }
        }
    }
}
#endif
