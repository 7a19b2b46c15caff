#if TestServer
import FlyingSocks

/// A port of this machine where nobody listens, and which no other server gets while this is there: the system refuses who comes.
///
/// A stopped server's port is free otherwise, and one that asks for any free port may get it, while a test still counts on nobody's
/// answering there. A server that asks for this port by its number gets it all the same (`SO_REUSEADDR`; both sockets have it).
final class HeldPort: Sendable {
    #if os(Linux)
    private let socket: Socket

    /// - Returns: nil where somebody was faster.
    init?(host: String, port: UInt16) {
        do { (socket, _) = try Listener.bind(host: host, port: port) } catch { return nil }
    }

    deinit {
        // Only a descriptor that is not open fails here, and this one is.
        do { try socket.close() } catch { assertionFailure("\(error)") }
    }
    #else
    /// Others' kernels drop what comes to such a socket, where Linux refuses it, and give the port to nobody else at all.
    init?(host: String, port: UInt16) { nil }
    #endif
}
#endif
