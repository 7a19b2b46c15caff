#if TestServer
import Synchronization
import WharfScreens
import WharfTestServer
import WharfTesting

/// The reference receiver behind a real socket. The port stays the same when it goes and comes back.
final class LoopbackReceiver: Sendable {
    let device = StubPlayer()
    let port: UInt16
    private let receiver: ScreenReceiver
    private let server: Mutex<TestServer?>

    init() async throws {
        receiver = ScreenReceiver(player: device, heartbeat: .milliseconds(500), retry: .milliseconds(1))
        let server = try await TestServer.start()
        port = server.port
        self.server = Mutex(server)
        open(server)
    }

    deinit {
        let server = server.withLock { $0 }
        if let server { Task { await server.stop() } }
    }

    private func open(_ server: TestServer) { server.forward(to: "http", "receiver", by: receiver) }

    func leave() async {
        let server = server.withLock { server in
            defer { server = nil }
            return server
        }
        await server?.stop()
    }

    /// Also where it hangs.
    func comeBack() async {
        if let server = server.withLock({ $0 }) { return open(server) }
        do {
            let server = try await TestServer.start(port: port)
            open(server)
            self.server.withLock { $0 = server }
        } catch {
            // The law says then that it can't be connected.
            return
        }
    }

    func hang() { server.withLock { $0 }?.route(nil, "/*", .hanging) }
}
#endif
