#if TestServer
import TransportStages
import WharfCore
import WharfCoreLaws
import WharfTestServer
import WharfURLSession

extension TransportLaws.Subject {
    static let urlSession = TransportLaws.Subject("URLSessionTransport") { scene, clock, body in
        try await TestServer.run { server in
            server.route(nil, "/*", TestResponse(scene))
            try await body(TransportLaws.Stage(URLSessionTransport(clock: clock), before: server))
        }
    }
}

extension HTTPRequest {
    static func get(_ path: String) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: "origin.example", path: path)
    }
}
#endif
