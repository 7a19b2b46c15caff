#if Server
internal import NIOCore
internal import NIOPosix

/// A socket that is bound, and accepts no connection yet.
struct ListeningSocket: Sendable {
    let channel: any Channel
    let host: String
    let port: Int

    /// The host and port as in a URL.
    var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// - Parameter initialize: prepares an accepted connection.
    static func bind(
        _ address: String, on group: any EventLoopGroup,
        initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws(GatewayError) -> ListeningSocket {
        let (host, port) = try parse(address)
        let channel: any Channel
        do {
            channel = try await ServerBootstrap(group: group)
                // A connection is accepted only after `run()`; earlier ones wait in the backlog.
                .serverChannelOption(.autoRead, value: false)
                .serverChannelOption(.backlog, value: 1024)
                // Without it the port could not be bound for a minute after a restart.
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                // A silent WebSocket has no other sign that its client is gone.
                .childChannelOption(.socketOption(.so_keepalive), value: 1)
                .childChannelInitializer(initialize)
                .bind(host: host, port: port).get()
        } catch {
            throw GatewayError(
                .portUnavailable,
                message: "could not listen at \(address): \(error); take another port, or 0 for a free one",
                cause: error)
        }
        let bound = channel.localAddress
        return ListeningSocket(channel: channel, host: bound?.ipAddress ?? host, port: bound?.port ?? port)
    }

    private static func parse(_ address: String) throws(GatewayError) -> (host: String, port: Int) {
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]) else {
            throw GatewayError(
                .invalidAddress, message: "expected an address and a port such as 127.0.0.1:8080, found '\(address)'")
        }
        var host = address[..<colon]
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, host.firstIndex(of: "[") == nil else {
            throw GatewayError(
                .invalidAddress,
                message: "expected a host or an address before the port, found '\(address)'; 0.0.0.0 is all interfaces")
        }
        return (String(host), Int(port))
    }
}
#endif
