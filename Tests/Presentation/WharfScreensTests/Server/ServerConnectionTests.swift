#if TestServer
import LiveTransport
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

@testable import WharfScreens

/// The lifetime of connections, with a client that keeps them open.
struct ServerConnectionTests {
    let device = StubPlayer()
    let receiver: ScreenReceiver
    let transport = liveTransport()

    init() { receiver = ScreenReceiver(player: device) }

    private func request(_ method: HTTPRequest.Method, _ path: String, _ server: ScreenServer) -> TransportRequest {
        var request = Sender(receiver: receiver).request(method, path, method == .post ? "{}" : nil)
        request.head.authority = "127.0.0.1:\(server.port)"
        return request
    }

    private func open(_ server: ScreenServer) async throws -> String {
        let answer = try await transport.send(request(.post, "/session", server))
        _ = try await answer.body.collect()
        return "/session/" + (try #require(receiver.session.withLock { $0.id }))
    }

    @Test func stoppingAServerBreaksItsStreams() async throws {
        let server = try ScreenServer(receiver, clock: TestClock())
        let session = try await open(server)
        let events = EventReader(body: try await transport.send(request(.get, session + "/events", server)).body)
        var text = ""
        while !text.contains("event: state") { text += try #require(try await events.next()) }
        await server.stop()
        // The body must not look complete.
        await #expect(throws: TransportError.self) { try await events.rest() }
        let again = try ScreenServer(receiver, port: server.port, clock: TestClock())
        #expect(try await transport.send(request(.delete, session, again)).head.status == .noContent)
        await again.stop()
    }

    @Test func endOfASessionEndsItsStreamCleanly() async throws {
        let server = try ScreenServer(receiver, clock: TestClock())
        let session = try await open(server)
        let events = EventReader(body: try await transport.send(request(.get, session + "/events", server)).body)
        receiver.close()
        #expect(try await events.rest().contains("event: end"))
        await server.stop()
    }

    @Test func connectionsAboveTheLimitAreClosed() async throws {
        let server = try ScreenServer(receiver, clock: TestClock())
        let sender = RawSender(port: server.port)
        let silent = (0..<ScreenServer.connectionLimit).map { _ in Task { try await sender.exchange("") } }
        await waitUntil { server.connectionCount == ScreenServer.connectionLimit }
        let surplus = try await sender.exchange("")
        #expect(surplus.isEmpty)
        #expect(server.connectionCount == ScreenServer.connectionLimit)
        await server.stop()
        for connection in silent { _ = try await connection.value }
        #expect(server.connectionCount == 0)
    }

    /// More than the system's buffers hold, so the connection waits until the peer has read.
    @Test(arguments: [true, false])
    func aLongAnswerArrivesWhole(isChunked: Bool) async throws {
        let (listener, port) = try ServerSocket.listen(at: ServerHost("127.0.0.1"), port: 0)
        defer { ServerSocket.close(listener) }
        let peer = Task { try await RawSender(port: port).exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        var accepted: Int32?
        while accepted == nil {
            await Task.yield()
            accepted = ServerSocket.accept(on: listener)
        }
        let connection = ServerConnection(
            try #require(accepted), bodyLimit: 0, timeout: .seconds(10), clock: TestClock())
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
        await connection.serve { _ in
            let body = isChunked ? BodyStream(OnePiece(bytes)) : BodyStream(bytes)
            let provenance = Provenance(source: .network, asOf: WallTime(secondsSince1970: 0))
            return TransportResponse(head: HTTPResponse(status: .ok), body: body, provenance: provenance)
        }
        let text = try await peer.value
        #expect(text.utf8.count > bytes.count)
        #expect(text.hasSuffix(isChunked ? "x\r\n0\r\n\r\n" : "xx"))
    }

    @Test func aPeerThatLeavesEndsItsStream() async throws {
        let server = try ScreenServer(receiver, clock: TestClock())
        let session = try await open(server)
        var body: BodyStream? = try await transport.send(request(.get, session + "/events", server)).body
        #expect(server.connectionCount > 0)
        withExtendedLifetime(body) {}
        body = nil
        await waitUntil { server.connectionCount == 0 }
        await server.stop()
    }

    @Test func releasedServerStopsListening() async throws {
        var server: ScreenServer? = try ScreenServer(receiver, clock: TestClock())
        let opening = request(.post, "/session", try #require(server))
        #expect(try await transport.send(opening).head.status == .created)
        server = nil
        // The system closes the port on another thread.
        var isOpen = true
        while isOpen {
            do throws(TransportError) { _ = try await transport.send(opening) } catch { isOpen = false }
        }
        #expect(!isOpen)
    }
}

/// A body of unknown length.
private final class OnePiece: BodyStream.Producer {
    private let piece: Mutex<[UInt8]?>

    init(_ bytes: [UInt8]) { piece = Mutex(bytes) }

    func next() async throws(TransportError) -> [UInt8]? { piece.withLock { $0.take() } }

    func cancel() {}
}
#endif
