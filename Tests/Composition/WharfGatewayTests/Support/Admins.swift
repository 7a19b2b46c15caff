import Testing
import WharfCore
import WharfFakes
import WharfStorage

@testable import WharfGateway

/// A client of an admin page, with a connection for each request.
struct AdminClient {
    let server: Gateway

    func get(_ path: String, _ lines: String...) async throws -> RawAnswer { try await send("GET", path, lines) }

    func post(_ path: String, _ lines: String...) async throws -> RawAnswer { try await send("POST", path, lines) }

    /// - Parameter host: nil for the right one.
    func send(_ method: String, _ path: String, _ lines: [String] = [], host: String? = nil) async throws -> RawAnswer {
        var answer: RawAnswer?
        try await RawClient.run(server) { client in
            let head = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? server.authority)"] + lines
            try await client.send(bytes: head.joined(separator: "\r\n") + "\r\n\r\n")
            answer = try await client.answer(isForHead: method == "HEAD")
        }
        return try #require(answer)
    }
}

extension Gateway {
    /// Sends a GET over a connection of its own.
    func get(_ path: String) async throws -> RawAnswer { try await AdminClient(server: self).get(path) }
}

/// Runs a gateway and its admin page during `body`.
func withAdmin(
    over transport: any Transport, store: (any InspectableCacheStore)? = nil,
    _ configuration: GatewayConfiguration = .patient, clock: TestClock = TestClock(),
    _ body: (Gateway, AdminClient) async throws -> Void
) async throws {
    try await withGateway(over: transport, configuration, clock: clock) { gateway in
        let admin = try await GatewayAdmin(
            address: "127.0.0.1:0", gateway: gateway, store: store, wallClock: clock.wall)
        let running = Task { try await admin.run() }
        do {
            try await body(gateway, AdminClient(server: admin.server))
            admin.shutDown()
            try await running.value
        } catch {
            running.cancel()
            try await running.value
            throw error
        }
    }
}
