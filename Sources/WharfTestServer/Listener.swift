#if TestServer
import FlyingSocks
import Foundation

enum Listener {
    /// Binds an address and listens.
    ///
    /// - Returns: the socket, the port that it got, and what keeps the port when the socket is
    ///   closed.
    static func open(host: String, port: UInt16, pool: Sockets) throws -> (AsyncSocket, UInt16, HeldPort) {
        let (socket, bound) = try bind(host: host, port: port)
        let held: HeldPort
        do {
            // Later it could not be bound: this one listens then.
            held = try HeldPort(host: host, port: bound)
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

    /// Takes a port without listening: until then the system refuses who comes.
    ///
    /// - Returns: the socket and the port that it got.
    static func bind(host: String, port: UInt16) throws -> (Socket, UInt16) {
        let address = try sockaddr_in.inet(ip4: host, port: port)
        let socket = try Socket(domain: Int32(AF_INET), type: .stream)
        do {
            try socket.closeInChildren()
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
    /// A child process that a test starts would otherwise keep the port, or the connection, open.
    func closeInChildren() throws {
        guard fcntl(file.rawValue, F_SETFD, FD_CLOEXEC) == 0 else { throw SocketError.makeFailed("CloseOnExec") }
    }
}
#endif
