import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes
import WharfRandom

@testable import WharfScreens

#if TestServer
import LiveTransport
#endif

struct ScreenServerTests {
    let device = StubPlayer()
    let receiver: ScreenReceiver

    init() { receiver = ScreenReceiver(player: device) }

    private func run(
        _ receiver: ScreenReceiver? = nil, _ body: (ScreenServer, RawSender) async throws -> Void
    ) async throws {
        // A test clock does not advance by itself.
        let server = try ScreenServer(receiver ?? self.receiver, clock: TestClock())
        try await body(server, RawSender(port: server.port))
        await server.stop()
    }

    private func opening(_ body: String, length: Int? = nil, _ fields: String = "") -> String {
        "POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\(fields)"
            + "Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)"
    }

    private func command(_ session: String, _ sequence: Int) -> String {
        let body = #"{"sequence":\#(sequence),"command":"stop"}"#
        return opening(body).replacing("/session", with: "/session/\(session)/commands")
    }

    /// Opens a session over a socket.
    private func open(_ sender: RawSender) async throws -> String {
        let answer = try await sender.exchange(opening("{}"))
        #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n"))
        return String(answer.suffix(34).prefix(32))
    }

    @Test func openingAndCommandAreAnsweredOverASocket() async throws {
        try await run { _, sender in
            let session = try await open(sender)
            let answer = try await sender.exchange(command(session, 1))
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains("\r\nConnection: close\r\n\r\n"))
            #expect(answer.hasSuffix(#"{"sequence":1,"phase":"idle","position":0}"#))
        }
    }

    @Test func invalidOpeningGetsItsStatusOverASocket() async throws {
        try await run { _, sender in
            let session = try await open(sender)
            for (request, status) in [
                (opening("{"), 400), (opening(""), 400), (opening("[]"), 400), (opening("{}{}"), 400),
                (opening(String(repeating: " ", count: 4097)), 413), (opening("", length: (1 << 20) + 1), 413),
                (opening("", length: .max), 413),
                (opening("{}").replacing("application/json", with: "text/plain"), 415),
            ] {
                let answer = try await sender.exchange(request)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
                #expect(answer.contains(#"{"code":"malformed","message":""#))
            }
            // None of them ended the session.
            #expect(try await sender.exchange(command(session, 1)).hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func randomBodiesOverSocketsOpenNothing() async throws {
        var generator = SeededGenerator(seed: 28)
        let bodies = (0..<100).map { _ in
            (0..<Int.random(in: 1...300, using: &generator)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        }
        try await run { _, sender in
            let session = try await open(sender)
            for body in bodies {
                let head = opening("", length: body.count)
                #expect(try await sender.exchange(Array(head.utf8) + body).hasPrefix("HTTP/1.1 400 "))
            }
            #expect(try await sender.exchange(command(session, 1)).hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func truncatedRequestOpensNothing() async throws {
        try await run { server, sender in
            let session = try await open(sender)
            #expect(try await sender.exchange(opening("{", length: 2), isPatient: false).isEmpty)
            #expect(try await sender.exchange("POST /session HTTP/1.1\r\nHost: 127", isPatient: false).isEmpty)
            #expect(try await sender.exchange(command(session, 1)).hasPrefix("HTTP/1.1 200 "))
            await waitUntil { server.connectionCount == 0 }
        }
    }

    @Test func slowRequestTimesOut() async throws {
        let clock = TestClock()
        let server = try ScreenServer(receiver, timeout: .seconds(10), clock: clock)
        let sender = RawSender(port: server.port)
        let slow = Task { try await sender.exchange(opening("{", length: 2)) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(10))
        #expect(try await slow.value.isEmpty)
        await server.stop()
        #expect(receiver.session.withLock { $0.id } == nil)
    }

    @Test(arguments: ["192.0.2.1", "0.0.0.0", "10.0.0.1", "128.0.0.1", "126.255.255.255"])
    func nonLoopbackHostNeedsAPairing(host: String) {
        let error = #expect(throws: PlaybackError.self) { try ScreenServer(receiver, host: host) }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("ScreenPairing") == true)
    }

    @Test(arguments: ["", "localhost", "127.0.0", "127.0.0.1.1", "127.0.0.256", "127.0.0.01", "+127.0.0.1", "::1"])
    func malformedHostIsRefused(host: String) {
        let error = #expect(throws: PlaybackError.self) { try ScreenServer(receiver, host: host) }
        #expect(error?.code == .malformed)
    }

    @Test func aPortThatIsTakenIsRefused() async throws {
        try await run { server, _ in
            let error = #expect(throws: PlaybackError.self) { try ScreenServer(receiver, port: server.port) }
            #expect(error?.code == .refused)
            let beginning = "the screen can't listen on 127.0.0.1:\(server.port): bind: "
            #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "no error")")
        }
    }

    @Test func foreignHostFieldIsRefusedWithoutAPairing() async throws {
        try await run { _, sender in
            let page = opening("{}").replacing("Host: 127.0.0.1", with: "Host: rebound.example")
            let refused = try await sender.exchange(page)
            #expect(refused.hasPrefix("HTTP/1.1 421 "))
            let own = opening("{}").replacing("Host: 127.0.0.1", with: "Host: LocalHost:8080")
            let opened = try await sender.exchange(own)
            #expect(opened.hasPrefix("HTTP/1.1 201 "))
        }
    }

    @Test func expectContinueIsAnswered() async throws {
        try await run { _, sender in
            let waiting = opening("", length: 2, "Expect: 100-continue\r\n")
            let answer = try await sender.exchange(waiting, isPatient: false)
            #expect(answer == "HTTP/1.1 100 Continue\r\n\r\n")
        }
    }

    #if TestServer
    @Test func aPairedControllerPlaysOverSockets() async throws {
        let pairing = ScreenPairing()
        let receiver = ScreenReceiver(player: device, pairing: pairing)
        let server = try ScreenServer(receiver)
        let url = "http://127.0.0.1:\(server.port)/tv"
        let transport = liveTransport()
        let stranger = try NetworkScreen(
            id: "tv", name: "TV", at: url, transport: transport, configuration: .init(timeout: .never, silence: .never))
        let error = await #expect(throws: PlaybackError.self) { try await stranger.connect() }
        #expect(error?.code == .refused)
        let key = try await ScreenKey.pair(by: pairing.showCode(), at: url, transport: transport, timeout: .never)
        let screen = try NetworkScreen(
            id: "tv", name: "TV", at: url, transport: KeyedTransport(transport, key: key),
            configuration: .init(timeout: .never, silence: .never))
        try await screen.connect()
        try await screen.perform(.load(Living.film, at: .seconds(3), playing: true))
        for await state in screen.states() where state.phase == .playing { break }
        device.press(.pause)
        for await state in screen.states() where state.phase == .paused { break }
        await screen.disconnect()
        await server.stop()
        #expect(server.connectionCount == 0)
    }
    #endif
}
