#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Synchronization
import Testing
import TransportStages
import WharfCore
import WharfFaults
import WharfHTTP
import WharfTestServer

@testable import WharfURLSession

/// A server may close an idle connection at the moment when the next request is sent on it (RFC
/// 9112 §9.5). On Apple platforms the system handles that.
struct KeptConnectionTests {
    /// Sends a request that is answered, and a second one. The server closes the connections of the
    /// second one without an answer, `closing` times.
    private func send(
        _ method: HTTPRequest.Method, _ body: RequestBody, isIdempotent: Bool? = nil, closing: Int = 1
    ) async throws -> (outcome: Result<[UInt8], TransportError>, requests: [TestRequest]) {
        try await TestServer.run { server in
            server.route(nil, "/first", .text("first"))
            server.route(nil, "/second") { $0.connection <= closing ? .dropped : .text("second") }
            let transport = URLSessionTransport(connectionsPerHost: 1)
            func exchange(_ path: String) async throws(TransportError) -> [UInt8] {
                let request = TransportRequest(
                    .to(server, path, method), body: body, isIdempotent: isIdempotent)
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

    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }

    @Test(arguments: [HTTPRequest.Method.put, .delete, .query], [10, bytes.count])
    func idempotentRequestIsSentAgainWhole(method: HTTPRequest.Method, count: Int) async throws {
        let body = Array(Self.bytes.prefix(count))
        let (outcome, requests) = try await send(method, .bytes(body))
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

    @Test func nonIdempotentRequestIsSentOnce() async throws {
        let (outcome, requests) = try await send(.post, .bytes(Self.bytes))
        let error = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("isIdempotent") == true)
        #expect(requests.count == 1)
    }

    @Test func bodySentInPartIsSentAgainWhole() async throws {
        let body = [UInt8](repeating: 65, count: 8_000_000)
        try await TestServer.run { server in
            server.route(nil, "/*", .text("hello"))
            try await FaultProxy.run(to: server.authority, [.reset(afterBytes: 100_000, .toServer).first(1)]) { proxy in
                let transport = URLSessionTransport(connectionsPerHost: 1)
                var head = HTTPRequest.to(server, "/")
                head.authority = proxy.authority
                _ = try await transport.send(TransportRequest(head)).body.collect()
                head.method = .put
                let request = TransportRequest(head, body: .bytes(body))
                _ = try await transport.send(request).body.collect()
                #expect(server.requests.map(\.body.count) == [0, body.count])
            }
        }
    }

    @Test func theProgressOfABodyThatIsSentAgainBeginsAnewAndRises() async throws {
        let steps = Mutex<[Int64]>([])
        let body = RequestBody.bytes(Self.bytes).reporting { step in steps.withLock { $0.append(step.completed) } }
        let (outcome, _) = try await send(.put, body)
        #expect(try outcome.get() == Array("second".utf8))
        let reported = steps.withLock { $0 }.split(separator: 0, omittingEmptySubsequences: false).dropFirst()
        // The first request, the second one, and the retry of the second.
        #expect(reported.count == 3)
        #expect(reported.allSatisfy { $0.elementsEqual($0.sorted()) })
        #expect(reported.last?.last == Int64(Self.bytes.count))
    }

    private func failure(_ words: String) -> TransportError {
        let cause = NSError(domain: URLError.errorDomain, code: -1, userInfo: [NSLocalizedDescriptionKey: words])
        return TransportError(urlSession: cause, request: .get("/"), hasHead: false)
    }

    private func tries(of error: TransportError, hasKept: Bool) -> Int {
        var tries = KeptConnectionTries(hasKept: hasKept)
        var count = 1
        while tries.allowAnother(after: error) { count += 1 }
        return count
    }

    /// It depends on timing whether libcurl fails while it sends or while it receives.
    @Test(arguments: [
        "Send failure: Broken pipe", "Send failure: Connection reset by peer",
        "OpenSSL SSL_write: Broken pipe, errno 32",
    ])
    func sendFailureIsRetriedOnceOnAKeptConnection(words: String) {
        let error = failure(words)
        #expect(error.code == .connectionLost)
        #expect(tries(of: error, hasKept: true) == 2)
        #expect(tries(of: error, hasKept: false) == 1)
    }

    @Test(arguments: ["Recv failure: Connection reset by peer", "transfer closed with 5 bytes remaining to read"])
    func receiveFailureIsNotRetried(words: String) {
        #expect(tries(of: failure(words), hasKept: true) == 1)
    }

    @Test func retriesOnKeptConnectionsAreLimited() {
        #expect(tries(of: .keptConnectionClosed(before: .get("/")), hasKept: true) == 5)
    }

    @Test func aServerThatClosesEachConnectionIsNotTriedWithoutEnd() async throws {
        let (outcome, requests) = try await send(.put, .bytes([1]), closing: .max)
        let error = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(error?.code == .connectionLost)
        #expect(requests.count == 2)
    }
}
#endif
