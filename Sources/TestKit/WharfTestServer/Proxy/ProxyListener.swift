#if TestServer
import FlyingSocks
import Foundation
import Synchronization

/// A bound port that listens once it is opened.
final class ProxyListener: Sendable {
    private enum State {
        case held
        case open(AsyncSocket)
        case closed
    }

    private let socket: Socket
    private let pool: Sockets
    // From `held` to `open` to `closed`, never back. In `held` this object has to close `socket`;
    // in `open` the async socket does.
    private let state = Mutex(State.held)

    init(_ socket: Socket, _ pool: Sockets) {
        self.socket = socket
        self.pool = pool
    }

    /// Starts to listen. It may be called again.
    func open() throws {
        try state.withLock { state in
            guard case .held = state else { return }
            do {
                try socket.listen()
            } catch {
                // The socket has closed itself.
                state = .closed
                throw error
            }
            state = .open(try AsyncSocket(socket: socket, pool: pool))
        }
    }

    /// Returns the next connection.
    ///
    /// - Throws: `CancellationError`, or an error of the listening socket itself.
    func accept() async throws -> Socket {
        guard case .open(let listener) = state.withLock({ $0 }) else { throw CancellationError() }
        while true {
            try Task.checkCancellation()
            do {
                return try await listener.accept().socket
            } catch let error as SocketError where error.isOfOneConnection {
                // A client that left before it was accepted must not end the loop for the others.
                continue
            }
        }
    }

    func close() async {
        let old = state.withLock { state in
            defer { state = .closed }
            return state
        }
        switch old {
        case .open(let listener): await listener.close(in: pool)
        case .held:
            // Closing fails only for a descriptor that is not open, and this one is.
            do { try socket.close() } catch { assertionFailure("\(error)") }
        case .closed: break
        }
    }
}
#endif
