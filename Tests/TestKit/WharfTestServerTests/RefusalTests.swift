import Testing
import TransportStages
import WharfCore

@testable import WharfTestServer

/// Requests that the server refuses, over real sockets.
struct RefusalTests {
    /// Sends bytes, and reads until the server closes the connection.
    ///
    /// - Parameter head: sent first, before `pieces`.
    private func exchange(
        _ server: TestServer, _ head: String, pieces: Int = 0, of piece: [UInt8] = []
    ) async throws -> String {
        let address = try OriginAddress(server.authority).address
        let stream = try await SocketStream.connect(to: address, in: try await SocketLoop.shared)
        var answer: [UInt8] = []
        do {
            var isOpen = try await stream.deliver(Array(head.utf8))
            for _ in 0..<pieces where isOpen { isOpen = try await stream.deliver(piece) }
            while case .bytes(let bytes) = try await stream.arrival() { answer += bytes }
        } catch {
            await stream.close()
            throw error
        }
        await stream.close()
        return String(decoding: answer, as: UTF8.self)
    }

    @Test(arguments: [
        ("nonsense\r\n\r\n", 400), ("\u{16}\u{3}\u{1}", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 2000000000\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 70_000))\r\n\r\n", 431),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ])
    func aRefusedRequestIsAnsweredAndTheConnectionCloses(head: String, status: Int) async throws {
        try await TestServer.run { server in
            server.route(nil, "/*", .text("hello"))
            let answer = try await exchange(server, head)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.contains("Connection: close\r\n"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func aHeadWithoutAnEndIsRefusedWhileItComes() async throws {
        try await TestServer.run { server in
            let field = Array("X: \(String(repeating: "a", count: 1000))\r\n".utf8)
            let answer = try await exchange(server, "GET / HTTP/1.1\r\n", pieces: 500, of: field)
            #expect(answer.hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test func aRequestWithTrailersIsFollowedByTheNextOne() async throws {
        try await TestServer.run { server in
            server.route(nil, "/*") { .text("\($0.text) \($0.trailerFields[.init("Server-Timing")!] ?? "none")\n") }
            let answer = try await exchange(
                server,
                "POST /1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nServer-Timing: db\r\n\r\n"
                    + "GET /2 HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(answer.contains("hi db\n"))
            #expect(answer.hasSuffix(" none\n"))
            #expect(server.requests.map(\.target) == ["/1", "/2"])
        }
    }
}
