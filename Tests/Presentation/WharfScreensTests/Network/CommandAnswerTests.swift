import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

@testable import WharfScreens

/// States after a command, from its answer and from events, which use other connections.
struct CommandAnswerTests {
    let living = Living()
    let gate = Gate()

    private func now(_ screen: NetworkScreen) async -> PlaybackState.Phase? {
        var states = screen.states().makeAsyncIterator()
        return await states.next()?.phase
    }

    @Test func commandStateIsDeliveredAtOnceIfEventsHang() async throws {
        let screen = try living.screen(by: StallingTransport(base: living.wire))
        try await screen.connect()
        try await screen.perform(.load(Living.film, at: .seconds(7), playing: true))
        var states = screen.states().makeAsyncIterator()
        #expect(await states.next() == PlaybackState(.playing, item: Living.film, position: .seconds(7)))
        try await screen.perform(.pause)
        #expect(await states.next() == PlaybackState(.paused, item: Living.film, position: .seconds(7)))
    }

    /// After three seconds `Playback` takes the last reported state for the current one.
    @Test func hangingEventsDoNotUndoTheSession() async throws {
        let clock = TestClock()
        let playback = Playback(engine: StubPlayer(), clock: clock)
        try await playback.perform(.load(Living.film, at: .seconds(7), playing: true))
        try await playback.transfer(to: try living.screen(by: StallingTransport(base: living.wire)))
        try await playback.perform(.pause)
        await waitUntil { clock.sleepers == 0 }
        clock.advance(by: .seconds(4))
        await letOthersRun()
        #expect(playback.state.playback.item == Living.film)
        #expect(playback.state.playback.phase == .paused)
        await playback.close()
    }

    @Test func staleEventIsNotDeliveredAfterACommand() async throws {
        let (asked, read) = (Gate(), Gate())
        let receiver = ScriptedReceiver { kind, count in
            switch kind {
            case "session": return .session
            case "events" where count == 1: return .events(ScriptedReceiver.idle, staysOpen: false)
            case "events":
                await asked.pass()
                let (old, new) = (ScriptedReceiver.event(0, "ended"), ScriptedReceiver.event(1, "loading"))
                return .events(old, new, hold: read, staysOpen: true)
            case "commands": return .taken(1, "paused")
            default: return .init()
            }
        }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        try await screen.perform(.stop)
        var states = screen.states().makeAsyncIterator()
        #expect(await states.next()?.phase == .paused)
        asked.open()
        // It requests more once it has handled the old event.
        await read.arrivals()
        #expect(await now(screen) == .paused)
        read.open()
        #expect(await states.next()?.phase == .loading)
    }

    @Test func lateAnswerDoesNotReplaceNewerEvents() async throws {
        let receiver = ScriptedReceiver { [gate] kind, _ in
            switch kind {
            case "session": return .session
            case "events":
                let since = ScriptedReceiver.event(1, "playing") + ScriptedReceiver.event(1, "ended")
                return .events(ScriptedReceiver.idle, since, staysOpen: true)
            case "commands":
                await gate.pass()
                return .taken(1, "playing")
            default: return .init()
            }
        }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        let task = Task { try await screen.perform(.play) }
        for await state in screen.states() where state.phase == .ended { break }
        gate.open()
        try await task.value
        #expect(await now(screen) == .ended)
    }

    @Test func reorderedAnswersKeepTheLatestState() async throws {
        let receiver = ScriptedReceiver { [gate] kind, count in
            switch kind {
            case "session": return .session
            case "events": return .events(ScriptedReceiver.idle, staysOpen: true)
            case "commands" where count == 1:
                await gate.pass()
                return .taken(1, "playing")
            case "commands": return .taken(2, "paused")
            default: return .init()
            }
        }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        let first = Task { try await screen.perform(.play) }
        await gate.arrivals()
        try await screen.perform(.pause)
        #expect(await now(screen) == .paused)
        gate.open()
        try await first.value
        #expect(await now(screen) == .paused)
    }

    @Test(arguments: [
        ScriptedReceiver.Answer.taken(0), .taken(2), .init(), .message(.ok, "{}"), .message(.ok, #"{"sequence":1}"#),
    ])
    func answerWithoutTheStateOfItsCommandIsMalformed(answer: ScriptedReceiver.Answer) async throws {
        let receiver = ScriptedReceiver { kind, _ in
            switch kind {
            case "session": .session
            case "events": .events(ScriptedReceiver.idle, staysOpen: true)
            case "commands": answer
            default: .init()
            }
        }
        let screen = try living.screen(by: receiver)
        try await screen.connect()
        await #expect { try await screen.perform(.stop) } throws: { ($0 as? PlaybackError)?.code == .malformed }
        #expect(screen.loss == nil)
    }
}
