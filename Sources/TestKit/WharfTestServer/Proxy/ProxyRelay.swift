#if TestServer
import Synchronization
import WharfFaults

/// Relays both streams of a connection until both have ended or one has broken.
struct ProxyRelay: Sendable {
    private let connection: ProxyConnection
    private let client: SocketStream
    private let server: SocketStream
    private let toServer: ByteQueue
    private let toClient = ByteQueue()

    private enum Event: Sendable {
        case clientEnded
        case serverEnded
        case wrote(Fault.Direction, ProxyWriter.Ending)
        case drained
        case cancelled
    }

    /// - Parameter toServer: may contain bytes that were read already.
    init(_ connection: ProxyConnection, _ client: SocketStream, _ server: SocketStream, _ toServer: ByteQueue) {
        self.connection = connection
        self.client = client
        self.server = server
        self.toServer = toServer
    }

    func run() async -> ProxyConnection.Ending {
        await withTaskGroup(of: Event.self) { group in
            group.addTask { await read(client, into: toServer) ? .clientEnded : .cancelled }
            group.addTask { await read(server, into: toClient) ? .serverEnded : .cancelled }
            group.addTask { await write(.toServer, toServer, to: server) }
            group.addTask { await write(.toClient, toClient, to: client) }
            var ended: Set<Fault.Direction> = []
            var isSilent = false
            var clientHasEnded = false
            // The group waits for its tasks, and a read of a silent connection ends only by
            // cancellation.
            defer { group.cancelAll() }
            while let event = await group.next() {
                switch event {
                case .clientEnded: clientHasEnded = true
                // The end is in the queue, behind bytes that are still delayed. The writer reports
                // it in its turn.
                case .serverEnded, .drained: continue
                case .wrote(_, .broken(let reason)): return .reset(reason)
                case .wrote(let direction, .ended): ended.insert(direction)
                case .wrote(let direction, .silent):
                    isSilent = true
                    // Draining shows when the client leaves.
                    group.addTask { await drain(direction == .toServer ? toServer : toClient) }
                case .cancelled: return .cancelled
                }
                // While no bytes come through, only the client's end shows that it has left.
                if ended.count == 2 || isSilent && clientHasEnded { return .closed }
            }
            return .cancelled
        }
    }

    /// - Returns: false if it was cancelled.
    private func read(_ source: SocketStream, into queue: ByteQueue) async -> Bool {
        do {
            while true {
                switch try await source.arrival() {
                case .bytes(let bytes): try await queue.push(.bytes(bytes, at: connection.timeline.now()))
                case .end:
                    try await queue.push(.end(at: connection.timeline.now()))
                    return true
                case .reset:
                    try await queue.push(.reset)
                    return true
                }
            }
        } catch {
            return false
        }
    }

    private func drain(_ queue: ByteQueue) async -> Event {
        do {
            while case .bytes = try await queue.next() {}
            return .drained
        } catch {
            return .cancelled
        }
    }

    private func write(_ direction: Fault.Direction, _ queue: ByteQueue, to sink: SocketStream) async -> Event {
        do {
            return .wrote(direction, try await ProxyWriter(connection, direction, queue, sink).run())
        } catch {
            return .cancelled
        }
    }
}
#endif
