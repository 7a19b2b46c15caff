#if TestServer
import Synchronization
import WharfPlaybackFakes
import WharfScreens
import WharfTestServer

/// The reference receiver behind a real socket. Its port stays the same when it disappears and
/// returns.
final class LoopbackReceiver: Sendable {
    private enum State {
        case here(TestServer)
        /// A stopped server keeps its port reserved until the next server takes it.
        case away(TestServer)

        var server: TestServer {
            switch self {
            case .here(let server), .away(let server): server
            }
        }
    }

    let device = StubPlayer()
    let port: UInt16
    private let receiver: ScreenReceiver
    private let state: Mutex<State>

    init() async throws {
        receiver = ScreenReceiver(
            player: device, configuration: .init(heartbeat: .milliseconds(500), retry: .milliseconds(1)))
        let server = try await TestServer.start()
        port = server.port
        state = Mutex(.here(server))
        open(server)
    }

    deinit {
        let server = state.withLock { $0.server }
        Task { await server.stop() }
    }

    private func open(_ server: TestServer) { server.forward(to: "http", "receiver", by: receiver) }

    func leave() async {
        let server = state.withLock { state in
            state = .away(state.server)
            return state.server
        }
        await server.stop()
    }

    /// Makes the receiver reachable again, also if it hangs.
    func comeBack() async {
        if case .here(let server) = state.withLock({ $0 }) { return open(server) }
        do {
            let server = try await TestServer.start(port: port)
            open(server)
            state.withLock { $0 = .here(server) }
        } catch {
            // The law then reports that it can't be connected.
            return
        }
    }

    func hang() {
        guard case .here(let server) = state.withLock({ $0 }) else { return }
        server.route(nil, "/*", .hanging)
    }
}
#endif
