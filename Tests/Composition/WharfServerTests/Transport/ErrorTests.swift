import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfServer
import WharfTestServer

struct ErrorTests {
    private func failure(_ head: HTTPRequest) async -> TransportError? {
        let transport = AsyncHTTPClientTransport(configuration: .patient)
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(head)).body.collect()
        }
        await transport.close()
        return error
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
        ("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 5\r\n\r\nhi", .connectionLost),
        ("HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 200_000))\r\n\r\n", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", .connectionLost),
        ("HTTP/1.1 099 What\r\nContent-Length: 2\r\n\r\nhi", .invalidResponse),
        ("HTTP/1.1 200 OK\r\nContent-Le", .connectionLost),
    ])
    func malformedAnswerIsMappedToItsErrorCode(bytes: String, code: TransportError.Code) async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .raw(Array(bytes.utf8)))
            let error = await failure(.to(server, "/"))
            #expect(error?.code == code, "\(error?.message ?? "")")
        }
    }

    @Test(arguments: [
        ("ftp", "h", "/"), ("file", "", "/etc/hosts"), ("", "h", "/"), ("http", "", "/"), ("http", "h", "/a b"),
        ("http", "h", "/{x}"), ("http", "h:x", "/"),
    ])
    func invalidURLIsRefused(scheme: String, authority: String, path: String) async throws {
        let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        #expect(await failure(head)?.code == .invalidRequest)
    }
}
