#if TestServer
import FlyingSocks
import Foundation

/// One end of a connection as a byte stream. It distinguishes an orderly end from a reset.
struct SocketStream: Sendable {
    enum Arrival: Sendable, Equatable {
        case bytes([UInt8])
        /// The peer sends no more.
        case end
        /// The peer reset the connection, or the connection broke.
        case reset
    }

    private let socket: AsyncSocket
    private let pool: Sockets

    /// Takes ownership of the socket.
    init(_ socket: Socket, in pool: Sockets) throws {
        do {
            try socket.closeInChildren()
            #if canImport(Darwin)
            try socket.setValue(true, for: .noSIGPIPE)
            #endif
            // Sends each piece at once, without delay.
            var one: Int32 = 1
            setsockopt(
                socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            self.socket = try AsyncSocket(socket: socket, pool: pool)
            self.pool = pool
        } catch {
            try socket.close()
            throw error
        }
    }

    /// Connects to a port of an IPv4 address.
    static func connect(to address: sockaddr_in, in pool: Sockets) async throws -> SocketStream {
        let stream = try SocketStream(try Socket(domain: Int32(AF_INET), type: .stream), in: pool)
        do {
            try await stream.socket.connect(to: address)
            return stream
        } catch {
            let number = stream.pendingError
            await stream.close()
            guard number != 0 else { throw error }
            throw SocketError.failed(type: "Connect", errno: number, message: String(cString: strerror(number)))
        }
    }

    /// Returns the next event of the stream.
    ///
    /// - Throws: `CancellationError`.
    func arrival() async throws -> Arrival {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var isBroken = false
        while true {
            try Task.checkCancellation()
            let count = recv(socket.socket.file.rawValue, &buffer, buffer.count, 0)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count == 0 { return .end }
            let reason = errno
            if reason == EINTR { continue }
            // A pool that reports a broken connection gives one more read, as bytes may have
            // arrived before the break.
            guard reason == EAGAIN, !isBroken else { return .reset }
            isBroken = try await !isReady(for: .read)
        }
    }

    /// Sends the bytes.
    ///
    /// - Returns: false if the peer has left.
    /// - Throws: `CancellationError`.
    func deliver(_ bytes: [UInt8]) async throws -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let count = rest.withUnsafeBytes { send(socket.socket.file.rawValue, $0.baseAddress, $0.count, flags) }
            let reason = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
                // A socket that is never full would otherwise keep the thread from other
                // connections.
                await Task.yield()
            } else if reason == EAGAIN {
                guard try await isReady(for: .write) else { return false }
            } else if reason != EINTR {
                return false
            }
        }
        return true
    }

    /// Tells the peer that no more is sent.
    func endWriting() {
        // This fails only if the connection is already gone.
        _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    }

    func close() async { await socket.close(in: pool) }

    /// Closes the connection so that the peer gets a reset in place of an end.
    func reset() async {
        // Lingering for zero seconds makes `close` send a reset and drop unsent bytes.
        var hard = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(socket.socket.file.rawValue, SOL_SOCKET, SO_LINGER, &hard, size)
        await close()
    }

    /// Returns false if the connection broke meanwhile.
    private func isReady(for events: Socket.Events) async throws -> Bool {
        do {
            try await pool.suspendSocket(socket.socket, untilReadyFor: events)
            return true
        } catch let error as CancellationError {
            throw error
        } catch {
            return false
        }
    }

    private var pendingError: Int32 {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket.socket.file.rawValue, SOL_SOCKET, SO_ERROR, &number, &size)
        return number
    }
}

extension SocketError {
    /// The system's description of the error.
    static func reason(_ error: any Error) -> String {
        if case .failed(_, _, let message)? = error as? SocketError { message } else { "\(error)" }
    }
}
#endif
