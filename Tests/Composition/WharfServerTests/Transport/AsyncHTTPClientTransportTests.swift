import Synchronization
import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfServer
import WharfTestServer

struct AsyncHTTPClientTransportTests {
    /// Runs `body` with a transport, and closes it at the end.
    private func withTransport(
        _ wallClock: any WallClock = .system, _ body: (AsyncHTTPClientTransport) async throws -> Void
    ) async throws {
        let transport = AsyncHTTPClientTransport(configuration: .patient, wallClock: wallClock)
        do {
            try await body(transport)
            await transport.close()
        } catch {
            await transport.close()
            throw error
        }
    }

    // MARK: Requests

    @Test func aGetWithABodyIsSent() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let request = TransportRequest(.to(server, "/"), body: .bytes(Array("query".utf8)))
                _ = try await transport.send(request).body.collect()
                #expect(server.requests.map(\.text) == ["query"])
            }
        }
    }

    @Test func sendsThePathAndRepeatedFieldsAsTheyAre() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                var head = HTTPRequest.to(server, "/a%2Fb/../%7Bc%7D?q=%26&r=+&e=")
                head.headerFields.append(HTTPField(name: .accept, value: "a/b"))
                head.headerFields.append(HTTPField(name: .accept, value: "c/d"))
                _ = try await transport.send(TransportRequest(head)).body.collect()
                let request = try await server.request(1)
                #expect(request.target == "/a%2Fb/../%7Bc%7D?q=%26&r=+&e=")
                #expect(request.fields[values: .accept] == ["a/b", "c/d"])
                #expect(request.fields.filter { $0.name.canonicalName == "host" }.map(\.value) == [server.authority])
            }
        }
    }

    @Test func aStreamOfKnownLengthGoesWithItsLength() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let body = RequestBody.stream({ BodyStream(Array("hello".utf8)) }, length: 5)
                _ = try await transport.send(TransportRequest(.to(server, "/", .put), body: body)).body.collect()
                let request = try await server.request(1)
                #expect(request.fields[.contentLength] == "5")
                #expect(request.text == "hello")
            }
        }
    }

    @Test func uploadStreamIsReadAndSentWhole() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let pieces = CountedPieces(count: 64, size: 65_536)
                let body = RequestBody.stream({ BodyStream(pieces) }, length: 64 * 65_536)
                _ = try await transport.send(TransportRequest(.to(server, "/", .post), body: body)).body.collect()
                #expect(pieces.taken == 64)
                #expect(try await server.request(1).body.count == 64 * 65_536)
            }
        }
    }

    @Test(arguments: [Int64(3), 9])
    func aStreamOfAnotherLengthThanWasSaidFails(length: Int64) async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let body = RequestBody.stream({ BodyStream(Array("hello".utf8)) }, length: length)
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/", .post), body: body))
                }
                #expect(error?.code == .invalidRequest, "\(error?.message ?? "")")
            }
        }
    }

    @Test func aStreamThatFailsEndsTheRequestWithItsError() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                let body = RequestBody.stream({ BodyStream(Unreadable()) }, length: nil)
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/", .post), body: body))
                }
                #expect(error?.code == .fileUnreadable, "\(error?.message ?? "")")
            }
        }
    }

    // MARK: Heads

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

    /// The transport marks requests on the way to the connection.
    @Test func noFieldOfTheTransportReachesTheOrigin() async throws {
        try await TestServer.run { server in
            try await withTransport { transport in
                for _ in 0..<2 { _ = try await transport.send(TransportRequest(.to(server, "/"))).body.collect() }
                let names = server.requests.flatMap { $0.fields.map(\.name.canonicalName) }
                #expect(names.count { $0 == "host" } == 2 && !names.contains { $0.hasPrefix("wharf") })
            }
        }
    }

    @Test func skipsInterimHeads() async throws {
        try await TestServer.run { server in
            let interim = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
            server.route(
                .get, "/", .raw(Array("\(interim)HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n\r\nhi".utf8)))
            try await withTransport { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/")))
                #expect(response.head.status == .ok)
                #expect(response.head.headerFields.count == 2)
                #expect(try await response.body.collect() == Array("hi".utf8))
            }
        }
    }

    @Test func stampsTheAnswerByItsClock() async throws {
        try await TestServer.run { server in
            let time = WallTime(secondsSince1970: 1_234_567_890)
            try await withTransport(TestClock(start: time).wall) { transport in
                let response = try await transport.send(TransportRequest(.to(server, "/")))
                #expect(response.provenance.asOf == time)
                #expect(response.provenance.source == .network)
            }
        }
    }

    // MARK: Bodies

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

    /// The body is four times larger than the system's socket buffers on the loopback interface. So
    /// the rest must have waited.
    @Test func aReaderThatDoesNotReadHoldsTheSenderBack() async throws {
        try await TestServer.run { server in
            let count = 1024
            let made = Made()
            server.route(.get, "/:reader") { request in
                let reader = request.parameters["reader"] ?? ""
                return .pieces { index in
                    guard index < count else { return nil }
                    made.add(for: reader)
                    return [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 65_536)
                }
            }
            try await withTransport { transport in
                let slow = try await transport.send(TransportRequest(.to(server, "/slow")))
                // Another reader reads as much meanwhile, so there was time to send all of it.
                let fast = try await transport.send(TransportRequest(.to(server, "/fast"))).body.collect()
                #expect(fast.count == count * 65_536)
                #expect(made.count(for: "slow") < count / 2, "\(made.count(for: "slow")) of \(count) pieces were sent")
                let body = try await slow.body.collect()
                #expect(body == fast)
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

    @Test func aConnectionIsUsedAgain() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .text("hello"))
            try await withTransport { transport in
                for _ in 0..<3 { _ = try await transport.send(TransportRequest(.to(server, "/"))).body.collect() }
                #expect(Set(server.requests.map(\.connection)).count == 1)
            }
        }
    }

    @Test func twoHundredConcurrentRequestsAreAnswered() async throws {
        try await TestServer.run { server in
            server.route(.get, "/:n") { .text($0.parameters["n"] ?? "") }
            try await withTransport { transport in
                let right = await withTaskGroup(of: Bool.self) { group in
                    for index in 0..<200 {
                        group.addTask {
                            do throws(TransportError) {
                                let response = try await transport.send(TransportRequest(.to(server, "/\(index)")))
                                return try await response.body.collect() == Array("\(index)".utf8)
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
    }
}

/// The number of pieces that a server has produced, by reader.
private final class Made: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    func add(for reader: String) { counts.withLock { $0[reader, default: 0] += 1 } }
    func count(for reader: String) -> Int { counts.withLock { $0[reader, default: 0] } }
}

private final class CountedPieces: BodyStream.Producer {
    private let count: Int
    private let size: Int
    private let state = Atomic(0)

    init(count: Int, size: Int) {
        self.count = count
        self.size = size
    }

    var taken: Int { min(count, state.load(ordering: .relaxed)) }

    func next() async throws(TransportError) -> [UInt8]? {
        let number = state.add(1, ordering: .relaxed).newValue
        return number <= count ? [UInt8](repeating: 1, count: size) : nil
    }

    func cancel() {}
}

private final class Unreadable: BodyStream.Producer {
    func next() async throws(TransportError) -> [UInt8]? {
        throw TransportError(.fileUnreadable, message: "expected a file to upload")
    }
    func cancel() {}
}
