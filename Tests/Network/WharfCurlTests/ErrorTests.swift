#if os(Linux) && TestServer
import Testing
import TransportStages
import WharfCore
import WharfCurl
import WharfTestServer

struct ErrorTests {
    private func failure(
        _ head: HTTPRequest, _ change: (inout TransportRequest) -> Void = { _ in }
    ) async -> TransportError? {
        let transport = CurlTransport.patient()
        defer { transport.close() }
        var request = TransportRequest(head)
        change(&request)
        return await #expect(throws: TransportError.self) { try await transport.send(request).body.collect() }
    }

    @Test func aStoppedOriginIsConnectionFailed() async throws {
        try await requireAStoppedOriginIsConnectionFailed { await failure($0) }
    }

    @Test func aNameWithoutAddressIsHostNotFound() async throws {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "no-such-host.invalid", path: "/")
        let error = await failure(head)
        #expect(error?.code == .hostNotFound, "\(error?.message ?? "")")
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
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi", .invalidResponse),
        ("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 5\r\n\r\nhi", .connectionLost),
        ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 200_000))\r\n\r\n", .invalidResponse),
        (
            "HTTP/1.1 200 OK\r\n" + String(repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 400),
            .invalidResponse
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", .connectionLost),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y", .connectionLost),
        ("HTTP/1.1 099 What\r\nContent-Length: 2\r\n\r\nhi", .invalidResponse),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nContent-Le", .connectionLost),
        ("HTTP/1.1 100 Continue\r\n\r\n", .connectionLost),
        ("", .connectionLost),
    ])
    func malformedAnswerIsMappedToItsErrorCode(bytes: String, code: TransportError.Code) async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .raw(Array(bytes.utf8)))
            let error = await failure(.to(server, "/?token=secret"))
            #expect(error?.code == code, "\(error?.message ?? "")")
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test func aLongFieldNamesTheLimit() async throws {
        try await TestServer.run { server in
            let field = "X: \(String(repeating: "y", count: 200_000))"
            server.route(.get, "/", .raw(Array("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n".utf8)))
            let error = await failure(.to(server, "/"))
            #expect(error?.message.contains("100 KB") == true, "\(error?.message ?? "")")
        }
    }

    /// Only the very last line feed may be missing, as nothing depends on it.
    @Test func anAnswerCutAnywhereNeverLooksComplete() async throws {
        let answer = Array(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\nServer-Timing: db\r\n\r\n"
                .utf8)
        try await TestServer.run { server in
            server.route(.get, "/:count") { request in
                .raw(Array(answer.prefix(Int(request.parameters["count"] ?? "") ?? 0)))
            }
            try await withTransport { transport in
                for count in 0..<(answer.count - 1) {
                    do throws(TransportError) {
                        let body = try await transport.send(TransportRequest(.to(server, "/\(count)"))).body.collect()
                        Issue.record("\(count) of \(answer.count) bytes looked complete: \(body.count) bytes of body")
                    } catch {
                        #expect(error.code == .connectionLost, "\(count): \(error)")
                    }
                }
                let whole = try await transport.send(TransportRequest(.to(server, "/\(answer.count)"))).body.collect()
                #expect(whole == Array("hello world".utf8))
            }
        }
    }

    @Test func headWithBodyAndConnectAreRefused() async throws {
        let head = HTTPRequest(method: .head, scheme: "http", authority: "h", path: "/")
        #expect(await failure(head) { $0.body = .bytes([1]) }?.code == .invalidRequest)
        let connect = HTTPRequest(method: .connect, scheme: "http", authority: "h", path: "/")
        #expect(await failure(connect)?.code == .invalidRequest)
    }

    @Test func storedOnlyRequestFailsWithNothingKept() async throws {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/")
        #expect(await failure(head) { $0.cache = .storedOnly }?.code == .nothingKept)
    }
}
#endif
