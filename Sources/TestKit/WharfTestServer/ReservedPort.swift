#if TestServer
import FlyingSocks

/// Reserves a port against servers that ask for any free port of this machine.
///
/// If no socket listens at it, the system refuses connections.
///
/// A stopped server's port would otherwise be free. Another server might get it while a test still
/// relies on refused connections. A server that asks for the port by its number gets it even so
/// (`SO_REUSEADDR`, which both sockets have).
final class ReservedPort: Sendable {
    #if os(Linux)
    private let socket: Socket

    /// - Throws: an error of the system, also if another socket listens at the port.
    init(host: String, port: UInt16) throws {
        (socket, _) = try Listener.bind(host: host, port: port)
    }

    deinit {
        // Closing fails only for a descriptor that is not open, and this one is.
        do { try socket.close() } catch { assertionFailure("\(error)") }
    }
    #else
    /// Other kernels drop connections to such a socket, where Linux refuses them. They also give
    /// its port to no other socket. So none is made.
    init(host: String, port: UInt16) throws {}
    #endif
}
#endif
