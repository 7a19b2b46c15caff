import Foundation
import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfFakes
import WharfTestServer

@testable import WharfURLSession

struct URLSessionTransportTests {
    private func failure(
        _ head: HTTPRequest, _ body: RequestBody = .none, reading transport: URLSessionTransport = URLSessionTransport()
    ) async -> TransportError? {
        await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(head, body: body)).body.collect()
        }
    }

    // MARK: Errors

    @Test func aStoppedOriginIsConnectionFailed() async throws {
        try await requireAStoppedOriginIsConnectionFailed { await failure($0) }
    }

    @Test func aChildProcessDoesNotKeepThePortOfAStoppedOriginOpen() async throws {
        try await TestServer.run { server in
            // The child lives until its input ends.
            let child = try #require(popen("exec cat > /dev/null", "w"))
            await server.stop()
            // If it inherited the socket, the system would accept the connection, and no process
            // would answer.
            let request = TransportRequest(.to(server, "/"))
            let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(request) }
            pclose(child)
            #expect(error?.code == .connectionFailed, "\(error?.message ?? "")")
        }
    }

    @Test func aNameWithoutAddressIsHostNotFound() async throws {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "no-such-host.invalid", path: "/")
        #expect(await failure(head)?.code == .hostNotFound)
    }

    @Test func anOriginWithoutTLSIsTLSFailed() async throws {
        try await TestServer.run { server in
            var head = HTTPRequest.to(server, "/")
            head.scheme = "https"
            let error = await failure(head)
            #expect(error?.code == .tlsFailed, "\(error?.message ?? "")")
        }
    }

    @Test(arguments: [
        ("nonsense\r\n\r\n", TransportError.Code.invalidResponse),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: unheard-of\r\nContent-Length: 2\r\n\r\nhi", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi", .connectionLost),
        ("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 5\r\n\r\nhi", .connectionLost),
        ("HTTP/1.1 401 U\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 5\r\n\r\nhi", .connectionLost),
        ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 200_000))\r\n\r\n", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", .connectionLost),
    ])
    func malformedAnswerIsMappedToItsErrorCode(bytes: String, code: TransportError.Code) async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .raw(Array(bytes.utf8)))
            let error = await failure(.to(server, "/"))
            #expect(error?.code == code, "\(error?.message ?? "")")
        }
    }

    @Test(arguments: [
        ("ftp", "h", "/"), ("", "h", "/"), ("http", "", "/"), ("http", "h", "/a b"), ("http", "h", "/{x}"),
        ("http", "h:x", "/"), ("http", "h", "/a%zz"), ("http", "h", "/%"), ("http", "h", "/a?b=%2"),
    ])
    func invalidURLIsRefused(scheme: String, authority: String, path: String) async throws {
        for secret in ["", path.contains("?") ? "&key=hunter2" : "?key=hunter2"] {
            let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path + secret)
            let error = await failure(head)
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("hunter2") == false)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head])
    func refusesABodyThatFoundationCannotSend(method: HTTPRequest.Method) async throws {
        var head = HTTPRequest.get("/")
        head.method = method
        #expect(await failure(head, .bytes([1]))?.code == .invalidRequest)
    }

    @Test func aStreamThatFailsIsNotSent() async throws {
        try await TestServer.run { server in
            let body = RequestBody.stream(
                { BodyStream(StubBodyFailure()) }, length: nil)
            let error = await failure(.to(server, "/", .post), body)
            #expect(error?.code == .fileUnreadable)
            #expect(server.requests.isEmpty)
        }
    }

    // MARK: Pins

    private static let pins: Set = [
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=",
    ]

    #if canImport(FoundationNetworking)
    @Test func pinnedHostIsRefusedIfNoKeyCanBeSeen() async throws {
        try await TestServer.run { server in
            let transport = URLSessionTransport(pins: try PublicKeyPins(["127.0.0.1": Self.pins]))
            var head = HTTPRequest.to(server, "/")
            head.scheme = "https"
            let error = await failure(head, reading: transport)
            #expect(error?.code == .pinningFailed)
            #expect(error?.message.contains("AsyncHTTPClientTransport") == true)
        }
    }
    #endif

    @Test func aPinnedHostIsNotReadOverHTTP() async throws {
        try await TestServer.run { server in
            let transport = URLSessionTransport(pins: try PublicKeyPins(["127.0.0.1": Self.pins]))
            let error = await failure(.to(server, "/"), reading: transport)
            #expect(error?.code == .pinningFailed)
            #expect(error?.message.contains("use https") == true)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func aHostWithoutPinsIsReadAsUsual() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .text("hello"))
            let transport = URLSessionTransport(pins: try PublicKeyPins(["*.example.com": Self.pins]))
            let body = try await transport.send(TransportRequest(.to(server, "/"))).body.collect()
            #expect(body == Array("hello".utf8))
        }
    }

    // MARK: Heads

    @Test func keepsCookiesApart() async throws {
        try await TestServer.run { server in
            let first = "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/"
            server.route(.get, "/", .text("").adding(.setCookie, first).adding(.setCookie, "b=2, c; Secure"))
            let response = try await URLSessionTransport().send(TransportRequest(.to(server, "/")))
            #expect(response.head.headerFields[values: .setCookie] == [first, "b=2, c; Secure"])
        }
    }

    @Test func keepsNoCookies() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .text("").adding(.setCookie, "a=1"))
            let transport = URLSessionTransport()
            for _ in 0..<2 { _ = try await transport.send(TransportRequest(.to(server, "/"))).body.collect() }
            #expect(server.requests.map { $0.fields[.cookie] } == [nil, nil])
        }
    }

    @Test func sendsRepeatedFieldsAndNoFormType() async throws {
        try await TestServer.run { server in
            server.route(.post, "/", .text(""))
            var head = HTTPRequest.to(server, "/", .post)
            head.headerFields.append(HTTPField(name: .accept, value: "a/b"))
            head.headerFields.append(HTTPField(name: .accept, value: "c/d"))
            head.headerFields.append(HTTPField(name: .cookie, value: "a=1"))
            head.headerFields.append(HTTPField(name: .cookie, value: "b=2"))
            _ = try await URLSessionTransport().send(TransportRequest(head, body: .bytes([1])))
            let fields = try await server.request(1).fields
            #expect(fields[.accept] == "a/b, c/d")
            #expect(fields[.cookie] == "a=1; b=2")
            #expect(fields[.contentType] == "application/octet-stream")
        }
    }

    @Test func skipsInterimHeads() async throws {
        try await TestServer.run { server in
            let interim = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
            server.route(
                .get, "/", .raw(Array("\(interim)HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n\r\nhi".utf8)))
            let response = try await URLSessionTransport().send(TransportRequest(.to(server, "/")))
            #expect(response.head.status == .ok)
            #expect(response.head.headerFields.count == 2)
            #expect(try await response.body.collect() == Array("hi".utf8))
        }
    }

    @Test func sendsThePathAsItIs() async throws {
        try await TestServer.run { server in
            _ = try await URLSessionTransport().send(TransportRequest(.to(server, "/a%2Fb/%7Bc%7D?q=%26&r=+&e=")))
            let request = try await server.request(1)
            #expect(request.target == "/a%2Fb/%7Bc%7D?q=%26&r=+&e=")
        }
    }

    @Test func stampsTheAnswerByItsClock() async throws {
        try await TestServer.run { server in
            let time = WallTime(secondsSince1970: 1_234_567_890)
            let transport = URLSessionTransport(wallClock: TestClock(start: time).wall)
            let response = try await transport.send(TransportRequest(.to(server, "/")))
            #expect(response.provenance.asOf == time)
            #expect(response.provenance.source == .network)
        }
    }

    @Test func aFileURLIsReadFromTheDisk() async throws {
        let folder = try TemporaryFolder()
        try Data("hello".utf8).write(to: URL(filePath: folder["x"]))
        let head = HTTPRequest(method: .get, scheme: "file", authority: nil, path: folder["x"])
        let response = try await URLSessionTransport().send(TransportRequest(head))
        #expect(try await response.body.collect() == Array("hello".utf8))
        #expect(response.provenance.source == .file)
    }

    // MARK: Bodies

    @Test func givesTheHeadBeforeTheBody() async throws {
        try await TestServer.run { server in
            let gate = Gate()
            server.route(.get, "/", .text("hello world").heldInBody(after: 5) { await gate.pass() })
            let response = try await URLSessionTransport().send(TransportRequest(.to(server, "/")))
            #expect(response.body.expectedLength == 11)
            var iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() == Array("hello".utf8))
            gate.open()
            #expect(try await iterator.next() == Array(" world".utf8))
            #expect(try await iterator.next() == nil)
        }
    }

    @Test(arguments: ["max-age=1", "no-store"])
    func unreadBytesAreKeptForASlowReader(cacheControl: String) async throws {
        try await TestServer.run { server in
            let count = 320
            server.route(
                .get, "/",
                .pieces(fields: [.cacheControl: cacheControl]) { index in
                    index < count ? [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 65_536) : nil
                })
            let transport = URLSessionTransport(bufferLimit: 100_000)
            let response = try await transport.send(TransportRequest(.to(server, "/")))
            // The server has sent all of it before the client reads.
            #expect(try await server.outcome(of: 1) == .answered)
            let body = try await response.body.collect()
            #expect(body.count == count * 65_536)
            #expect((0..<count).allSatisfy { body[$0 * 65_536 + 65_535] == UInt8(truncatingIfNeeded: $0) })
        }
    }

    @Test func twoHundredConcurrentRequestsAreAnswered() async throws {
        try await TestServer.run { server in
            server.route(.get, "/:n") { .text($0.parameters["n"] ?? "") }
            let transport = URLSessionTransport()
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
            #expect(server.requests.count == 200)
        }
    }

    @Test func anAnswerOutlivesItsTransport() async throws {
        try await TestServer.run { server in
            let gate = Gate()
            server.route(.get, "/", .text("hello").heldInBody(after: 1) { await gate.pass() })
            let response = try await URLSessionTransport().send(TransportRequest(.to(server, "/")))
            gate.open()
            #expect(try await response.body.collect() == Array("hello".utf8))
        }
    }

    @Test func aBodyOverTheLimitEndsTheConnection() async throws {
        try await TestServer.run { server in
            let piece = [UInt8](repeating: 65, count: 65_536)
            server.route(.get, "/", .pieces { _ in piece })
            let error = await #expect(throws: TransportError.self) {
                try await URLSessionTransport().send(TransportRequest(.to(server, "/"))).body.collect(upTo: 1000)
            }
            #expect(error?.code == .tooLarge)
            let outcome = try await server.outcome(of: 1)
            #expect(outcome == .disconnected)
        }
    }
}

private final class StubBodyFailure: BodyStream.Producer {
    func next() async throws(TransportError) -> [UInt8]? {
        throw TransportError(.fileUnreadable, message: "expected a file to upload")
    }
    func cancel() {}
}
