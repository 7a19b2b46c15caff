import NIOCore
import NIOPosix
import NIOSSL

@testable import WharfGateway

/// An origin that sends exact bytes over TCP or TLS.
struct RawOrigin: Sendable {
    let url: String
    let authority: String

    /// Serves each connection by `serve`, and closes it afterwards, until `body` returns.
    static func run(
        tls: NIOSSLContext? = nil, serve: @escaping @Sendable (RawClient) async throws -> Void,
        _ body: (RawOrigin) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    return try RawClient.wrap(channel)
                }
            }
        let authority = "127.0.0.1:\(server.channel.localAddress?.port ?? 0)"
        let serving = Task {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask {
                            // The gateway may close first, which ends the serving.
                            do {
                                try await connection.executeThenClose { inbound, outbound in
                                    try await serve(RawClient(connection.channel, inbound, outbound))
                                }
                            } catch {}
                        }
                    }
                }
            }
        }
        do {
            try await body(RawOrigin(url: "\(tls == nil ? "http" : "https")://\(authority)", authority: authority))
        } catch {
            serving.cancel()
            throw error
        }
        serving.cancel()
    }
}
