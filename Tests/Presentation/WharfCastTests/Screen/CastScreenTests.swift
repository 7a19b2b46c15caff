import Testing
import WharfChecks
import WharfFakes
import WharfJSON
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

/// The screen against a receiver, over TLS on the loopback interface.
@Suite struct CastScreenTests {
    private static let film = SessionTalk.film

    @Test func screenLoadsPlaysPausesSeeksAndStops() async throws {
        let clock = TestClock()
        try await CastReceiver.run(clock: clock) { receiver in
            let screen = receiver.screen(clock: clock)
            try await screen.connect()
            #expect(await screen.state == .idle)

            try await screen.perform(.load(Self.film, at: .seconds(42), playing: true))
            #expect(await screen.state == PlaybackState(.playing, item: Self.film, position: .seconds(42)))
            clock.advance(by: .seconds(2))
            try await screen.perform(.pause)
            #expect(await screen.state == PlaybackState(.paused, item: Self.film, position: .seconds(44)))
            try await screen.perform(.seek(to: .milliseconds(10_250)))
            #expect(await screen.state == PlaybackState(.paused, item: Self.film, position: .milliseconds(10_250)))
            try await screen.perform(.play)
            try await screen.perform(.seek(to: .seconds(20)))
            #expect(await screen.state == PlaybackState(.playing, item: Self.film, position: .seconds(20)))
            #expect(receiver.playing?["playerState"]?.text == "PLAYING")
            try await screen.perform(.stop)
            #expect(await screen.state == .idle)
            #expect(receiver.playing == nil)
        }
    }

    @Test func changesByAnotherSenderAreReported() async throws {
        let clock = TestClock()
        try await CastReceiver.run(clock: clock) { receiver in
            let (one, other) = (receiver.screen(clock: clock), receiver.screen(clock: clock))
            try await one.connect()
            try await one.perform(.load(Self.film, at: .seconds(5), playing: true))
            // It joins the running app, and does not launch it again.
            try await other.connect()
            #expect(await other.state == PlaybackState(.playing, item: Self.film, position: .seconds(5)))
            #expect(receiver.received.filter { $0.type == "LAUNCH" }.count == 1)
            let states = one.states()
            try await other.perform(.pause)
            #expect(await states.first { $0.phase == .paused }?.position == .seconds(5))
            receiver.act { world, now in world.remote("SEEK", [JSONMember("currentTime", 9)], at: now) }
            #expect(await states.first { $0.position == .seconds(9) }?.phase == .paused)
            await other.disconnect()
            try await one.perform(.play)
        }
    }

    @Test func itemPlayedToItsEndHasEnded() async throws {
        let clock = TestClock()
        try await CastReceiver.run(clock: clock) { receiver in
            let screen = receiver.screen(clock: clock)
            try await screen.connect()
            try await screen.perform(.load(Self.film, at: .seconds(99), playing: true))
            clock.advance(by: .seconds(1))
            let states = screen.states()
            receiver.act { world, now in world.tick(at: now) }
            #expect(
                await states.first { $0.phase == .ended }
                    == PlaybackState(.ended, item: Self.film, position: .seconds(100)))
            try await screen.perform(.play)
            #expect(await screen.state == PlaybackState(.playing, item: Self.film))
        }
    }

    @Test func anItemThatCannotBePlayedIsUnplayable() async throws {
        try await CastReceiver.run { receiver in
            receiver.change { $0.player.unplayable = [Self.film.url] }
            let screen = receiver.screen()
            try await screen.connect()
            let error = await #expect(throws: PlaybackError.self) {
                try await screen.perform(.load(Self.film, at: .zero, playing: true))
            }
            #expect(error?.code == .unplayable)
        }
    }

    @Test func refusedLaunchFailsTheConnect() async throws {
        try await CastReceiver.run { receiver in
            receiver.change { $0.launchError = "NOT_ALLOWED" }
            let screen = receiver.screen()
            let error = await #expect(throws: PlaybackError.self) { try await screen.connect() }
            #expect(error?.code == .refused)
            receiver.change { $0.launchError = nil }
            try await screen.connect()
        }
    }

    @Test func connectFailsIfNothingListens() async throws {
        let port = try await CastReceiver.run { $0.port }
        let screen = CastScreen(id: "a", name: "A", host: "127.0.0.1", port: port)
        let error = await #expect(throws: PlaybackError.self) { try await screen.connect() }
        #expect(error?.code == .disconnected)
        #expect(screen.loss == nil)
        for await state in screen.states() { Issue.record("expected no state, found \(state)") }
    }

    @Test func vanishedReceiverIsLostAndCanBeReconnected() async throws {
        try await CastReceiver.run { receiver in
            let screen = receiver.screen()
            try await screen.connect()
            try await screen.perform(.load(Self.film, at: .seconds(3), playing: false))
            let states = screen.states()
            await receiver.vanish()
            // If this did not end, the test would not either.
            for await _ in states {}
            #expect(screen.loss?.code == .disconnected)
            let error = await #expect(throws: PlaybackError.self) { try await screen.perform(.play) }
            #expect(error?.code == .disconnected)
            // The screen stays lost while the receiver is unreachable.
            await #expect(throws: PlaybackError.self) { try await screen.connect() }
            #expect(screen.loss?.code == .disconnected)
            try await receiver.listen()
            try await screen.connect()
            #expect(screen.loss == nil)
            #expect(await screen.state == PlaybackState(.paused, item: Self.film, position: .seconds(3)))
        }
    }

    @Test func receiverSilentForTenSecondsIsLost() async throws {
        let clock = TestClock()
        try await CastReceiver.run(clock: clock) { receiver in
            let screen = receiver.screen(clock: clock)
            try await screen.connect()
            await clock.untilSleeping()
            clock.advance(by: .seconds(5))
            await receiver.until { $0.contains { $0.type == "PING" } }
            receiver.hang()
            let states = screen.states()
            let command = Task { try await screen.perform(.load(Self.film, at: .zero, playing: true)) }
            let silence = Task { for await _ in states {} }
            await clock.advance(past: .seconds(30), until: silence)
            #expect(screen.loss?.code == .disconnected)
            #expect(await command.error?.code == .disconnected)
        }
    }

    @Test func unansweredConnectTimesOut() async throws {
        let clock = TestClock()
        try await CastReceiver.run(clock: clock) { receiver in
            receiver.hang()
            let screen = receiver.screen(clock: clock)
            let connecting = Task { try await screen.connect() }
            await clock.untilSleeping()
            await clock.advance(past: .seconds(30), until: Task { _ = await connecting.result })
            #expect(await connecting.error?.code == .timedOut)
        }
    }

    @Test func malformedFrameEndsTheConnection() async throws {
        try await CastReceiver.run { receiver in
            let screen = receiver.screen()
            try await screen.connect()
            let states = screen.states()
            receiver.say(bytes: [0xFF, 0, 0, 0])
            for await _ in states {}
            #expect(screen.loss?.code == .malformed)
        }
    }

    @Test func anotherAppOnTheReceiverEndsTheSession() async throws {
        try await CastReceiver.run { receiver in
            let screen = receiver.screen()
            try await screen.connect()
            let states = screen.states()
            receiver.act { world, _ in world.launch("YouTube") }
            for await _ in states {}
            #expect(screen.loss?.code == .disconnected)
        }
    }

    @Test func disconnectSendsCloseAndLeavesTheReceiverPlaying() async throws {
        try await CastReceiver.run { receiver in
            let screen = receiver.screen()
            try await screen.connect()
            try await screen.perform(.load(Self.film, at: .zero, playing: true))
            let states = screen.states()
            await screen.disconnect()
            for await _ in states {}
            #expect(screen.loss == nil)
            await receiver.until { $0.filter { $0.type == "CLOSE" }.count == 2 }
            #expect(receiver.playing?["playerState"]?.text == "PLAYING")
            await screen.disconnect()
        }
    }

    @Test func releasedScreenClosesItsConnection() async throws {
        try await CastReceiver.run { receiver in
            do {
                let screen = receiver.screen()
                try await screen.connect()
            }
            await receiver.until { $0.filter { $0.type == "CLOSE" }.count == 2 }
        }
    }

    @Test func repeatedConnectsShareOneConnection() async throws {
        try await CastReceiver.run { receiver in
            let screen = receiver.screen()
            async let first: Void = screen.connect()
            async let second: Void = screen.connect()
            try await first
            try await second
            try await screen.connect()
            #expect(receiver.received.filter { $0.type == "CONNECT" }.count == 2)
            #expect(receiver.connections == 1)
        }
    }

    @Test func cancelledConnectDoesNotAffectAnother() async throws {
        try await CastReceiver.run { receiver in
            receiver.hang()
            let screen = receiver.screen()
            let (leaving, staying) = (Task { try await screen.connect() }, Task { try await screen.connect() })
            await receiver.until { $0.contains { $0.type == "GET_STATUS" } }
            leaving.cancel()
            #expect(await leaving.error?.code == .cancelled)
            #expect(receiver.connections == 1)
            staying.cancel()
            #expect(await staying.error?.code == .cancelled)
            try await receiver.listen()
            try await screen.connect()
        }
    }

    @Test func cancelledCallerCancelsItsCommand() async throws {
        try await CastReceiver.run { receiver in
            let screen = receiver.screen()
            try await screen.connect()
            receiver.hang()
            let command = Task { try await screen.perform(.load(Self.film, at: .zero, playing: true)) }
            command.cancel()
            #expect(await command.error?.code == .cancelled)
        }
    }
}

extension CastReceiver {
    func screen(clock: any Clock<Duration> = TestClock()) -> CastScreen {
        CastScreen(id: "receiver", name: "Receiver", host: "127.0.0.1", port: port, clock: clock)
    }
}

extension CastScreen {
    /// The first state that a new reader gets.
    var state: PlaybackState? { get async { await states().first { _ in true } } }
}

extension Task where Success == Void, Failure == any Error {
    var error: PlaybackError? {
        get async {
            do { try await value } catch { return error as? PlaybackError }
            return nil
        }
    }
}

extension TestClock {
    /// Moves the clock from one deadline to the next, once a task sleeps until it, until a task is
    /// done.
    func advance(past end: Duration, until done: Task<Void, Never>) async {
        let turns = Task {
            while !Task.isCancelled, now.offset < end {
                await letOthersRun { sleepers > 0 }
                if let next = nextDeadline { advance(to: next) }
            }
        }
        await done.value
        turns.cancel()
    }
}
