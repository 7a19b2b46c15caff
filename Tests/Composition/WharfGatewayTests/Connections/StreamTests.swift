import AsyncHTTPClient
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfPrimitives

@testable import WharfGateway

/// HTTP/2 (RFC 9113).
struct StreamTests {
    // MARK: Requests

    @Test func requestOfAStreamReachesTheOrigin() async throws {
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                let answer = try await client.get(
                    "/a?b", of: gateway, ("cookie", "a=1"), ("cookie", "b=2"), ("te", "trailers"))
                #expect((answer.status, answer.text) == (200, "ok"))
                #expect((answer["content-length"], answer["via"]) == ("2", "1.1 wharf"))
                #expect((answer["cache-status"], answer["connection"]) == ("wharf; fwd=bypass", nil))
            }
            let request = try #require(origin.requests.first)
            let fields = request.head.headerFields
            #expect((request.head.method, request.head.path) == (.get, "/a?b"))
            #expect(request.head.authority == "origin.test")
            // RFC 9113 §8.2.3
            #expect(fields[values: .cookie] == ["a=1; b=2"])
            #expect((fields[.via], fields[.te]) == ("2 wharf", nil))
            #expect(fields[.init("X-Forwarded-Proto")!] == "https")
            #expect(fields[.init("X-Forwarded-Host")!] == gateway.authority)
            guard case .none = request.body else {
                Issue.record("a request without a body has \(request.body)")
                return
            }
        }
    }

    @Test func streamsAreAnsweredInAnyOrder() async throws {
        let gate = Gate()
        let origin = ClosureTransport { request in
            if request.head.path == "/slow" { await gate.pass() }
            return .text(request.head.path ?? "")
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                async let slow = client.get("/slow", of: gateway)
                await gate.arrivals()
                for number in 0..<3 {
                    let answer = try await client.get("/\(number)", of: gateway)
                    #expect(answer.text == "/\(number)")
                }
                gate.open()
                let answer = try await slow
                #expect(answer.text == "/slow")
            }
        }
    }

    @Test func uploadStreamsToTheOrigin() async throws {
        let arrived = Promise<Void>()
        let origin = ClosureTransport { request throws(TransportError) in
            guard case .stream(let body, _) = request.body else { return .text("no stream") }
            var count = 0
            for try await piece in body() {
                count += piece.count
                arrived.fulfil()
            }
            return .text("\(count)")
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", "POST", of: gateway), ends: false)
                    try await stream.send(Array("abc".utf8))
                    await arrived.wait()
                    try await stream.send(Array("de".utf8), ends: true)
                    #expect(try await stream.answer().text == "5")
                }
            }
        }
    }

    /// Trailers of a request end its body, and are dropped.
    @Test func trailersEndTheUpload() async throws {
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", "PUT", of: gateway), ends: false)
                    try await stream.send(Array("abc".utf8))
                    try await stream.send([("etag", "\"1\"")], ends: true)
                    #expect(try await stream.answer().status == 200)
                }
            }
        }
        #expect(origin.requests.first?.head.headerFields[.eTag] == nil)
    }

    /// 16 MB fit into no window of a stream.
    @Test func uploadWaitsForTheOrigin() async throws {
        let sent = Atomic(0)
        let origin = ClosureTransport { request throws(TransportError) in
            guard case .stream(let body, _) = request.body else { return .text("no stream") }
            var count = 0
            var ahead = 0
            for try await piece in body() {
                count += piece.count
                ahead = max(ahead, sent.load(ordering: .sequentiallyConsistent) - count)
                // The client is faster.
                for _ in 0..<100 { await Task.yield() }
            }
            return .text(ahead < 4 << 20 ? "\(count)" : "\(ahead) bytes in memory")
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", "POST", of: gateway), ends: false)
                    let piece = [UInt8](repeating: 120, count: 16 << 10)
                    for number in 1...1_024 {
                        try await stream.push(piece, ends: number == 1_024)
                        sent.add(16 << 10, ordering: .sequentiallyConsistent)
                    }
                    #expect(try await stream.answer().text == "\(16 << 20)")
                }
            }
        }
    }

    @Test func continueIsSentWhenTheOriginReads() async throws {
        let origin = RecordingTransport()
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    let head = StreamClient.head("/", "PUT", of: gateway) + [("expect", "100-continue")]
                    try await stream.send(head, ends: false)
                    #expect(try await stream.head().first(name: ":status") == "100")
                    try await stream.send(Array("abc".utf8), ends: true)
                    #expect(try await stream.answer().text == "ok")
                }
            }
        }
    }

    @Test func resetCancelsTheRequest() async throws {
        let (arrived, cancelled) = (Promise<Void>(), Promise<Void>())
        let origin = ClosureTransport { request throws(TransportError) in
            guard request.head.path == "/hangs" else { return .text("ok") }
            arrived.fulfil()
            // A cancelled task passes.
            await Gate().pass()
            cancelled.fulfil()
            throw TransportError(.cancelled, message: "cancelled")
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/hangs", of: gateway), ends: true)
                    await arrived.wait()
                    try await stream.reset()
                    await cancelled.wait()
                }
                #expect(try await client.get("/", of: gateway).text == "ok")
            }
        }
    }

    // MARK: Answers

    @Test func headArrivesBeforeTheBodyOfTheStream() async throws {
        let gate = Gate()
        let origin = ClosureTransport { _ in
            .stream(
                Pieces { number in
                    if number == 0 { await gate.pass() }
                    return number == 0 ? Array("late".utf8) : nil
                })
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", of: gateway), ends: true)
                    let head = try await stream.head()
                    #expect(head.first(name: ":status") == "200")
                    #expect(!head.contains(name: "transfer-encoding"))
                    gate.open()
                    #expect(try await stream.piece() == Array("late".utf8))
                    #expect(try await stream.piece() == [])
                }
            }
        }
    }

    @Test func answerToHEADHasNoBody() async throws {
        let origin = ClosureTransport { _ in
            TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: [.contentLength: "1234"]), body: .empty,
                provenance: Provenance(source: .network, asOf: WallTime(secondsSince1970: 0)))
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                let answer = try await client.request(StreamClient.head("/", "HEAD", of: gateway))
                #expect((answer.status, answer["content-length"], answer.text) == (200, "1234", ""))
            }
        }
    }

    @Test func interimResponsesComeBeforeTheAnswer() async throws {
        let link = try #require(HTTPField.Name("Link"))
        let origin = ClosureTransport { request in
            for number in 1...2 {
                await request.onInterim?(HTTPResponse(status: .init(code: 103), headerFields: [link: "</\(number)>"]))
            }
            return .text("ok")
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", of: gateway), ends: true)
                    for number in 1...2 {
                        let interim = try await stream.head()
                        #expect(interim.first(name: ":status") == "103")
                        #expect(interim.first(name: "link") == "</\(number)>")
                    }
                    #expect(try await stream.answer().text == "ok")
                }
            }
        }
    }

    /// In HTTP/2 trailers have a place, even after a body with a length.
    @Test func trailersFollowTheBody() async throws {
        let origin = ClosureTransport { request in
            let fields: HTTPFields = request.head.path == "/known" ? [.contentLength: "2"] : [:]
            return .stream(TrailedPieces(["a", "b"], [.eTag: "\"1\"", .connection: "close"]), fields: fields)
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                for path in ["/", "/known"] {
                    let answer = try await client.get(path, of: gateway)
                    #expect(answer.text == "ab")
                    #expect(answer.trailers?.map(\.name) == ["etag"])
                }
            }
        }
    }

    @Test func brokenBodyResetsItsStreamAlone() async throws {
        let lost = TransportError(.connectionLost, message: "the origin closed the connection")
        let origin = ClosureTransport { request in
            guard request.head.path == "/broken" else { return .text("ok") }
            return .stream(
                Pieces { number throws(TransportError) in
                    if number == 1 { throw lost }
                    return Array("half".utf8)
                })
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/broken", of: gateway), ends: true)
                    #expect(try await stream.resetCode() == .internalError)
                }
                #expect(try await client.get("/", of: gateway).text == "ok")
            }
        }
    }

    @Test func failureOfTheOriginIsNamed() async throws {
        let origin = ClosureTransport { _ throws(TransportError) in
            throw TransportError(.connectionFailed, message: "the reason")
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                for _ in 0..<2 {
                    let answer = try await client.get("/", of: gateway)
                    #expect((answer.status, answer.text) == (502, "the reason\n"))
                }
            }
        }
    }

    // MARK: The connection

    @Test func pingIsAnswered() async throws {
        try await withSecureGateway(over: RecordingTransport()) { gateway in
            try await StreamClient.run(gateway) { client in
                try await client.ping()
                #expect(await client.pong() == StreamClient.pingData)
            }
        }
    }

    @Test func streamInFlightEndsAtAGracefulShutdown() async throws {
        let gate = Gate()
        let origin = ClosureTransport { _ in
            await gate.pass()
            return .text("late")
        }
        try await withSecureGateway(over: origin) { gateway in
            try await StreamClient.run(gateway) { client in
                async let answering = client.get("/", of: gateway)
                await gate.arrivals()
                gateway.shutDown()
                let code = await client.goAway()?.code
                #expect(code == .noError)
                gate.open()
                let answer = try await answering
                #expect(answer.text == "late")
                try await client.end()
            }
        }
    }

    @Test func idleConnectionIsToldToLeave() async throws {
        let clock = TestClock()
        try await withSecureGateway(over: RecordingTransport(), clock: clock) { gateway in
            try await StreamClient.run(gateway) { client in
                // The first wait begins before the request, so the request is a step in it.
                await clock.untilSleeping()
                #expect(try await client.get("/", of: gateway).text == "ok")
                // The gateway answers after the stream has ended on its side too.
                try await client.ping()
                #expect(await client.pong() == StreamClient.pingData)
                // The request was a step in the first wait.
                for _ in 0..<2 {
                    await clock.untilSleeping()
                    clock.advance(by: GatewayConfiguration().clientTimeout)
                }
                #expect(await client.goAway()?.code == .noError)
                try await client.end()
            }
        }
    }

    @Test func bodyThatStallsIsAnsweredWith408() async throws {
        let clock = TestClock()
        let arrived = Promise<Void>()
        let origin = ClosureTransport { request throws(TransportError) in
            guard case .stream(let body, _) = request.body else { return .text("no body") }
            for try await _ in body() { arrived.fulfil() }
            return .text("complete")
        }
        try await withSecureGateway(over: origin, clock: clock) { gateway in
            try await StreamClient.run(gateway) { client in
                // The first wait begins before the stream.
                await clock.untilSleeping()
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", "PUT", of: gateway), ends: false)
                    try await stream.send(Array("abc".utf8))
                    await arrived.wait()
                    // The origin may have the piece before it counts as a step. The answer to a
                    // PING comes after that.
                    try await client.ping()
                    #expect(await client.pong() == StreamClient.pingData)
                    for _ in 0..<2 {
                        await clock.untilSleeping()
                        clock.advance(by: GatewayConfiguration().clientTimeout)
                    }
                    #expect(try await stream.answer().status == 408)
                    #expect(try await stream.resetCode() == .noError)
                }
                #expect(try await client.get("/", of: gateway).text == "no body")
            }
        }
    }

    /// The other streams of the connection go on.
    @Test func streamThatIsNotReadIsReset() async throws {
        let clock = TestClock()
        let gate = Gate()
        let over = Promise<Void>()
        let pieces = EndlessPieces(over)
        let origin = ClosureTransport { request in
            guard request.head.path == "/slow" else { return .stream(pieces) }
            await gate.pass()
            return .text("late")
        }
        try await withSecureGateway(over: origin, clock: clock) { gateway in
            try await StreamClient.run(gateway) { client in
                async let answering = client.get("/slow", of: gateway)
                await gate.arrivals()
                try await client.open { stream in
                    try await stream.send(StreamClient.head("/", of: gateway), ends: true)
                    _ = try await stream.head()
                    // Steps until the window of the stream is full.
                    while over.value == nil {
                        if clock.sleepers > 0 { clock.advance(by: .seconds(30)) }
                        await Task.yield()
                    }
                }
                gate.open()
                let answer = try await answering
                #expect(answer.text == "late")
            }
        }
    }

    @Test func asyncHTTPClientSpeaksHTTP2() async throws {
        try await withSecureGateway(over: RecordingTransport()) { gateway in
            var configuration = HTTPClient.Configuration(timeout: .init(connect: .hours(24)))
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.trustRoots = .certificates([try TestIdentity.certificate()])
            let client = HTTPClient(configuration: configuration)
            do {
                let answer = try await client.execute(
                    HTTPClientRequest(url: "https://localhost:\(gateway.port)/a"), deadline: .distantFuture)
                #expect((answer.version, answer.status) == (.http2, .ok))
                #expect(try await answer.body.collect(upTo: 10) == ByteBuffer(string: "ok"))
                try await client.shutdown()
            } catch {
                try await client.shutdown()
                throw error
            }
        }
    }
}

/// A body without an end, which tells when its reader stops.
private final class EndlessPieces: BodyStream.Producer {
    private let piece = [UInt8](repeating: 120, count: 64 << 10)
    private let over: Promise<Void>

    init(_ over: Promise<Void>) { self.over = over }

    func next() async throws(TransportError) -> [UInt8]? { piece }

    func cancel() { over.fulfil() }
}
