#if TestServer
import WharfChecks
package import WharfCore
import WharfTestServer

/// Requires that a request to a closed port fails with `connectionFailed`.
///
/// The failure must be transient, and must not contain the query's values.
///
/// - Parameter failure: returns the failure of a request.
package func requireAStoppedOriginIsConnectionFailed(
    _ failure: (HTTPRequest) async -> TransportError?
) async throws {
    try await TestServer.run { server in
        await server.stop()
        let error = await failure(.to(server, "/x?y=1"))
        let found = error.map { "\($0.code): \($0.message)" } ?? "no error"
        try require(error?.code == .connectionFailed, "expected connectionFailed, found \(found)")
        try require(
            error?.message.contains("http://\(server.authority)/x?y=***") == true,
            "expected the URL with y=*** in the message, found \(found)")
        try require(error?.isTransient == true, "expected it to be transient, found \(found)")
    }
}
#endif
