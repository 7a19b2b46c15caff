#if TestServer
import FlyingSocks
import Foundation

enum Listener {
    /// Binds an address and listens.
    ///
    /// - Returns: the socket, its port, and the object that reserves the port after the socket is
    ///   closed.
    static func open(host: String, port: UInt16, pool: Sockets) throws -> (AsyncSocket, UInt16, ReservedPort) {
        let (socket, bound) = try bind(host: host, port: port)
        let held: ReservedPort
        do {
            // Reserved first, as the port can't be bound again once this socket listens.
            held = try ReservedPort(host: host, port: bound)
        } catch {
            try socket.close()
            throw error
        }
        // A socket that can't listen closes itself.
        try socket.listen()
        do {
            return (try AsyncSocket(socket: socket, pool: pool), bound, held)
        } catch {
            try socket.close()
            throw error
        }
    }

    /// Binds a port without listening. Until it listens, the system refuses connections.
    ///
    /// - Returns: the socket and its port.
    static func bind(host: String, port: UInt16) throws -> (Socket, UInt16) {
        let address = try sockaddr_in.inet(ip4: host, port: port)
        let socket = try Socket(domain: Int32(AF_INET), type: .stream)
        do {
            try socket.closeInChildren()
            // Without it a port is unusable for a while after its connections were closed.
            try socket.setValue(true, for: .localAddressReuse)
            #if canImport(Darwin)
            try socket.setValue(true, for: .noSIGPIPE)
            #endif
            try socket.bind(to: address)
            guard case .ip4(_, let bound) = try socket.sockname() else { throw SocketError.unsupportedAddress }
            return (socket, bound)
        } catch {
            try socket.close()
            throw error
        }
    }
}

extension Socket {
    /// Closes the descriptor in child processes. Otherwise a test's child would keep the port or
    /// the connection open.
    func closeInChildren() throws {
        guard fcntl(file.rawValue, F_SETFD, FD_CLOEXEC) == 0 else { throw SocketError.makeFailed("CloseOnExec") }
    }
}
#endif
