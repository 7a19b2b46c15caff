import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfFaults
import WharfPlayback
import WharfPlaybackFakes
import WharfScreens

struct NetworkScreenTests {
    let living = Living()

    /// Returns the error that `body` throws, or nil.
    private func outcome(_ body: () async throws -> Void) async -> PlaybackError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PlaybackError
        }
    }

    @Test func brokenEventStreamResumesAtItsLastEvent() async throws {
        let screen = try living.screen()
        try await screen.connect()
        try await screen.perform(.load(Living.film, at: .zero, playing: true))
        var states = screen.states().makeAsyncIterator()
        while await states.next()?.phase != .playing {}
        living.wire.cut()
        living.wire.mend()
        await waitUntil { living.wire.eventRequests("Last-Event-ID").count == 2 }
        let ids = living.wire.eventRequests("Last-Event-ID")
        #expect(ids.first == .some(nil))
        #expect(ids.last.flatMap(\.self).flatMap { Int($0) } ?? 0 > 1)
        living.device.press(.pause)
        while await states.next()?.phase != .paused {}
        #expect(screen.loss == nil)
    }

    @Test func aResetInTheMiddleOfTheEventsIsSurvived() async throws {
        // The second exchange is the first event stream.
        let network = FaultyTransport(living.wire, [.reset(afterBytes: 190).from(2).first(2)], seed: 1)
        let screen = try living.screen(by: network)
        try await screen.connect()
        try await screen.perform(.load(Living.film, at: .seconds(5), playing: false))
        for await state in screen.states() where state.item == Living.film { break }
        await waitUntil { living.wire.eventRequests("Last-Event-ID").count >= 2 }
        try await screen.perform(.play)
        for await state in screen.states() where state.phase == .playing { break }
    }

    @Test func commandWithALostAnswerIsPerformedOnce() async throws {
        let network = FaultyTransport(living.wire, [.status(.badGateway, .toClient).from(3).first(4)], seed: 1)
        let screen = try living.screen(by: network)
        try await screen.connect()
        try await screen.perform(.load(Living.film, at: .zero, playing: true))
        #expect(living.device.taken == [.load(Living.film, at: .zero, playing: true)])
        #expect(living.wire.requests.filter { $0.head.path?.hasSuffix("/commands") == true }.count == 3)
    }

    @Test func connectFailsIfNothingListens() async throws {
        let screen = try living.screen(by: FaultyTransport(living.wire, [.refused], seed: 1))
        let error = await outcome { try await screen.connect() }
        #expect(error?.code == .disconnected)
    }

    @Test func missingHeartbeatLosesTheScreen() async throws {
        let beating = TestClock()
        let receiver = ScreenReceiver(
            player: living.device, configuration: .init(heartbeat: .seconds(5), clock: beating))
        let (listening, wire) = (TestClock(), Wire(receiver))
        let screen = try living.screen(by: wire, clock: listening)
        try await screen.connect()
        for _ in 0..<5 {
            await beating.untilSleeping()
            await listening.untilSleeping()
            let deadline = listening.nextDeadline
            listening.advance(by: .seconds(5))
            // Once the heartbeat is read, the silence is measured anew.
            beating.advance(by: .seconds(5))
            await waitUntil { listening.nextDeadline ?? .init(offset: .zero) > deadline ?? .init(offset: .zero) }
        }
        #expect(screen.loss == nil)
        listening.advance(by: .seconds(15))
        for await _ in screen.states() {}
        #expect(screen.loss?.code == .disconnected)
        #expect(screen.loss?.message.contains("Living room sent nothing for 15.0 seconds") == true)
    }

    @Test func secondSenderTakesTheScreenOver() async throws {
        let first = try living.screen()
        try await first.connect()
        try await first.perform(.load(Living.film, at: .seconds(3), playing: true))
        let second = try living.screen()
        try await second.connect()
        for await _ in first.states() {}
        #expect(first.loss?.code == .refused)
        #expect(first.loss?.message.contains("taken") == true)
        let late = await outcome { try await first.perform(.stop) }
        #expect(late?.code == .disconnected)
        #expect(living.device.state.phase == .playing)
        for await state in second.states() where state.item == Living.film { break }
    }

    @Test func playerRefusalReachesTheCaller() async throws {
        let screen = try living.screen()
        try await screen.connect()
        living.device.fail(with: PlaybackError(.unplayable, "expected H.264, found AV1"))
        let error = await outcome { try await screen.perform(.load(Living.film, at: .zero, playing: true)) }
        #expect(error == PlaybackError(.unplayable, "expected H.264, found AV1"))
        #expect(screen.loss == nil)
    }

    @Test func answerOutsideTheProtocolIsMalformed() async throws {
        let stub = StubTransport([.ok("<html>")])
        let screen = try living.screen(by: stub)
        let error = await outcome { try await screen.connect() }
        #expect(error?.code == .malformed)
    }

    @Test(arguments: ["", "living", "ftp://192.0.2.7/", "http://", "http:///x", "http://a b/", "http://a/?x=1"])
    func invalidAddressIsRefused(url: String) {
        #expect(throws: PlaybackError.self) {
            try NetworkScreen(id: "x", name: "x", at: url, transport: living.wire)
        }
    }

    @Test func aScreenThatDisappearsGivesItsSessionBackToTheEngine() async throws {
        let engine = StubPlayer()
        let playback = Playback(engine: engine)
        let screen = try living.screen()
        try await playback.perform(.load(Living.film, at: .seconds(40), playing: false))
        try await playback.transfer(to: screen)
        #expect(living.device.state == PlaybackState(.paused, item: Living.film, position: .seconds(40)))
        try await playback.perform(.seek(to: .seconds(50)))
        living.wire.cut()
        for await state in playback.states() where state.returned != nil {
            #expect(state.returned?.error.code == .disconnected)
            break
        }
        await waitUntil { engine.state == PlaybackState(.paused, item: Living.film, position: .seconds(50)) }
    }
}
