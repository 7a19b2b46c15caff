#if TestServer
package import WharfCore
package import WharfTestServer

extension HTTPRequest {
    package static func to(_ server: TestServer, _ path: String, _ method: Method = .get) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: server.authority, path: path)
    }
}
#endif
