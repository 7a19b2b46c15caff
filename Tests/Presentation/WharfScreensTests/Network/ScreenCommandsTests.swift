import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

@testable import WharfScreens

struct ScreenCommandsTests {
    let living = Living()

    private func receiver(_ commands: @escaping @Sendable (_ count: Int) -> ScriptedReceiver.Answer) -> ScriptedReceiver
    {
        ScriptedReceiver { kind, count in
            switch kind {
            case "session": .session
            case "events": .events(ScriptedReceiver.idle, staysOpen: true)
            case "commands": commands(count)
            default: .init()
            }
        }
    }

    private func outcome(_ screen: NetworkScreen) async -> PlaybackError? {
        do throws(PlaybackError) {
            try await screen.perform(.stop)
            return nil
        } catch { return error }
    }

    private static let busy = ScriptedReceiver.Answer.message(
        .serviceUnavailable, #"{"code":"refused","message":"8 commands wait"}"#, fields: [.retryAfter: "2"])

    @Test func busyScreenIsRetriedAfterItsRetryAfter() async throws {
        let clock = TestClock()
        let receiver = receiver { $0 == 1 ? Self.busy : .taken() }
        let screen = try living.screen(by: receiver, clock: clock)
        try await screen.connect()
        let task = Task { await outcome(screen) }
        // The event stream and the pause both sleep.
        await clock.untilSleeping(2)
        clock.advance(by: .milliseconds(1_999))
        await letOthersRun()
        #expect(receiver.count("commands") == 1)
        clock.advance(by: .milliseconds(7))
        #expect(await task.value == nil)
        #expect(receiver.count("commands") == 2)
    }

    @Test func aScreenThatStaysBusyIsNotLost() async throws {
        let receiver = receiver {
            $0 <= 3 ? .message(.serviceUnavailable, #"{"code":"refused","message":"full"}"#) : .taken(2)
        }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        #expect(await outcome(screen) == PlaybackError(.refused, "full"))
        #expect(screen.loss == nil)
        #expect(await outcome(screen) == nil)
    }

    /// By the contract of screens a command without a session fails with `disconnected`. The loss
    /// has the reason.
    @Test func commandAfterATakeOverEndsTheSession() async throws {
        let receiver = receiver { _ in .message(.gone, #"{"code":"takenOver","message":"another sender"}"#) }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        let error = await outcome(screen)
        #expect(error?.code == .disconnected)
        #expect(error?.message.contains("another sender") == true)
        #expect(screen.loss == PlaybackError(.refused, "another sender"))
        for await _ in screen.states() { Issue.record("it is connected") }
    }

    /// The screen is there, but its output is not.
    @Test func unreachablePlayerFailsOneCommandOnly() async throws {
        living.device.fail(with: PlaybackError(.disconnected, "no loudspeaker"))
        let screen = try living.screen()
        try await screen.connect()
        let error = await outcome(screen)
        #expect(error == PlaybackError(.refused, "no loudspeaker"))
        #expect(error?.cause as? PlaybackError == PlaybackError(.disconnected, "no loudspeaker"))
        #expect(screen.loss == nil)
        living.device.fail(with: nil)
        #expect(await outcome(screen) == nil)
    }

    @Test func unreachablePlayerKeepsTheSession() async throws {
        let playback = Playback(engine: StubPlayer())
        try await playback.perform(.load(Living.film, at: .seconds(4), playing: false))
        try await playback.transfer(to: try living.screen())
        living.device.fail(with: PlaybackError(.disconnected, "no loudspeaker"))
        await #expect(throws: PlaybackError(.refused, "no loudspeaker")) { try await playback.perform(.play) }
        #expect(playback.state.place == .screen(id: "living"))
        #expect(playback.state.returned == nil)
        living.device.fail(with: nil)
        try await playback.perform(.play)
        #expect(living.device.state.phase == .playing)
        await playback.close()
    }

    @Test func finishedCommandsAreForgotten() async throws {
        let screen = try living.screen()
        try await screen.connect()
        for _ in 0..<20 { try await screen.perform(.stop) }
        living.device.fail(with: PlaybackError(.unplayable, "no"))
        for _ in 0..<20 { #expect(await outcome(screen)?.code == .unplayable) }
        #expect(screen.underWay == 0)
    }

    /// The commands end even if the screen no longer answers.
    @Test func commandsThatAreUnderWayEndWithTheConnection() async throws {
        let gate = Gate()
        let receiver = ScriptedReceiver { kind, _ in
            switch kind {
            case "session": return .session
            case "events": return .events(ScriptedReceiver.idle, staysOpen: true)
            case "commands":
                await gate.pass()
                return .taken()
            default: return .init()
            }
        }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        let tasks = (0..<3).map { _ in Task { await outcome(screen) } }
        await gate.arrivals(3)
        await screen.disconnect()
        for task in tasks { #expect(await task.value?.code == .disconnected) }
    }
}
