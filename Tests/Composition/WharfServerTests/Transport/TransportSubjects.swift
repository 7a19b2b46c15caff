import AsyncHTTPClient
import NIOCore
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfServer
import WharfTestServer

extension TransportLaws.Subject {
    static let asyncHTTPClient = overSockets("AsyncHTTPClientTransport") { clock, body in
        let transport = AsyncHTTPClientTransport(configuration: .patient, clock: clock)
        try await body(transport)
        await transport.close()
    }

    static let lentClient = overSockets("AsyncHTTPClientTransport over a client of others") { clock, body in
        try await withLentClient { client in
            try await body(AsyncHTTPClientTransport(client: client, clock: clock))
        }
    }.dropping()
}

extension HTTPClient.Configuration {
    /// A busy machine may take the default ten seconds to connect, but not a day.
    static var patient: HTTPClient.Configuration {
        HTTPClient.Configuration(timeout: Timeout(connect: .hours(24)))
    }
}

/// Runs `body` with an app's own client, and shuts it down at the end.
func withLentClient(
    _ configuration: HTTPClient.Configuration = HTTPClient.Configuration.patient.keepingTransportLaws,
    _ body: (HTTPClient) async throws -> Void
) async throws {
    let client = HTTPClient(configuration: configuration)
    do {
        try await body(client)
        try await client.shutdown()
    } catch {
        try await client.shutdown()
        throw error
    }
}
