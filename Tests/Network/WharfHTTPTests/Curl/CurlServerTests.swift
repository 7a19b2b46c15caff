import Testing
import WharfCore
import WharfHTTP
import WharfTestServer

/// Compares with the requests of curl itself, if it is installed.
struct CurlServerTests {
    @Test(arguments: [
        (HTTPRequest.Method.get, RequestBody.none), (.head, .none), (.delete, .none), (.post, .none),
        (.post, .bytes(Array("@it's \"a\"\r\n".utf8))), (.put, .bytes([0, 1, 0xff, 0x27, 0x25, 0x5c])),
        (.patch, .bytes([])), (.get, .bytes(Array("{}".utf8))),
    ])
    func theServerSeesTheSameRequest(_ method: HTTPRequest.Method, _ body: RequestBody) async throws {
        guard await Shell.finds("curl") else { return }
        try await TestServer.run { server in
            server.route(nil, "/*", .text("hello"))
            let fields: HTTPFields = [.authorization: "Bearer it's", .acceptLanguage: "de;q=0.5, *"]
            let request = TransportRequest(
                HTTPRequest(
                    method: method, scheme: "http", authority: server.authority, path: "/a/../b%20c?x=[1]&y='",
                    headerFields: fields),
                body: body)
            _ = try await Shell.output(of: try await request.curl(revealing: true) + " -s")
            let seen = try await server.request(1)
            #expect(seen.method == method)
            #expect(seen.target == request.head.path)
            #expect(seen.fields[.authorization] == "Bearer it's")
            #expect(seen.fields[.acceptLanguage] == "de;q=0.5, *")
            #expect(seen.fields[.accept] == nil && seen.fields[.contentType] == nil)
            #expect(seen.body == request.sentBody)
        }
    }
}

extension TransportRequest {
    fileprivate var sentBody: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}
