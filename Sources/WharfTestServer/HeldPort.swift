#if TestServer
import FlyingSocks

/// A port of this machine that no server gets by asking for any free one, while this is there.
/// Where nobody listens at it the system refuses who comes.
///
/// A stopped server's port is free otherwise, and another one may get it while a test still counts
/// on nobody's answering there. A server that asks for it by its number gets it all the same
/// (`SO_REUSEADDR`, which both sockets have).
final class HeldPort: Sendable {
    #if os(Linux)
    private let socket: Socket

    /// - Throws: an error of the system; also where somebody listens there.
    init(host: String, port: UInt16) throws {
        (socket, _) = try Listener.bind(host: host, port: port)
    }

    deinit {
        // Only a descriptor that is not open fails here, and this one is.
        do { try socket.close() } catch { assertionFailure("\(error)") }
    }
    #else
    /// Other kernels drop what comes to such a socket, where Linux refuses it, and give its port to
    /// nobody else at all. So none is made.
    init(host: String, port: UInt16) throws {}
    #endif
}
#endif
