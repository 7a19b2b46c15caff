import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

/// States of a player that contradict its commands.
struct ReportTests {
    let clock = TestClock()
    let engine = MutePlayer()
    let playback: Playback

    init() { playback = Playback(engine: engine, clock: clock) }

    private func state(where isSo: (PlaybackState) -> Bool) async -> PlaybackState {
        for await state in playback.states() where isSo(state.playback) { return state.playback }
        return playback.state.playback
    }

    private func play() async throws { try await playback.perform(.load(Stage.film, at: .zero, playing: true)) }

    @Test func contradictingReportCountsAfterSettling() async throws {
        try await play()
        await engine.say(.paused, at: .seconds(30))
        #expect(playback.state.playback.phase == .loading)
        clock.advance(by: .seconds(3))
        let state = await state { $0.phase == .paused }
        #expect(state.position == .seconds(30))
    }

    @Test func reportOfAnotherItemCountsAfterSettling() async throws {
        try await play()
        await engine.say(.playing, Stage.other, at: .seconds(8))
        clock.advance(by: .seconds(3))
        let state = await state { $0.item == Stage.other }
        #expect(state.phase == .playing)
    }

    @Test func reportBeforeTheCommandNeverCounts() async throws {
        await engine.say(.idle, nil)
        try await play()
        await playback.endSettling(clock)
        #expect(playback.state.playback == PlaybackState(.loading, item: Stage.film, position: .seconds(3)))
        await engine.say(.playing, at: .seconds(3))
        try await playback.perform(.pause)
        await playback.endSettling(clock)
        #expect(playback.state.playback == PlaybackState(.paused, item: Stage.film, position: .seconds(3)))
    }

    @Test func reportDuringTheCommandCountsAfterSettling() async throws {
        try await play()
        await engine.say(.playing)
        let gate = Gate()
        engine.hold(at: gate)
        let pause = Task.immediate { try await playback.perform(.pause) }
        await gate.arrivals(1)
        await engine.say(.playing, at: .seconds(7))
        gate.open()
        try await pause.value
        #expect(playback.state.playback.phase == .paused)
        await playback.endSettling(clock)
        #expect(playback.state.playback == PlaybackState(.playing, item: Stage.film, position: .seconds(10)))
    }

    @Test func refusedCommandRestoresTheUnreportedOneBefore() async throws {
        await engine.say(.idle, nil)
        try await play()
        clock.advance(by: .seconds(1))
        engine.fail(with: PlaybackError(.refused, "not now"))
        let refused = await code { try await playback.perform(.pause) }
        #expect(refused == .refused)
        #expect(playback.state.playback == PlaybackState(.playing, item: Stage.film, position: .seconds(1)))
        // This state may still be older than the command.
        await engine.say(.paused, at: .seconds(40))
        #expect(playback.state.playback.phase == .playing)
        let again = await code { try await playback.perform(.seek(to: .seconds(9))) }
        #expect(again == .refused)
        #expect(playback.state.playback.phase == .playing)
        clock.advance(by: .seconds(2))
        #expect(await state { $0.phase == .paused }.position == .seconds(40))
    }

    @Test func laterCommandRestartsTheSettlingTime() async throws {
        try await play()
        clock.advance(by: .seconds(2))
        try await playback.perform(.seek(to: .seconds(500)))
        await engine.say(.playing, at: .seconds(2))
        clock.advance(by: .seconds(1))
        await letOthersRun()
        #expect(playback.state.playback.position == .seconds(501))
        clock.advance(by: .seconds(2))
        #expect(await state { $0.position < .seconds(500) }.position == .seconds(5))
    }

    @Test func reportedPositionAdvancesWithTheClock() async throws {
        try await play()
        await engine.say(.playing, at: .zero)
        clock.advance(by: .seconds(100))
        try await playback.perform(.play)
        clock.advance(by: .seconds(3))
        await letOthersRun()
        #expect(playback.state.playback.position == .seconds(103))
    }

    @Test func matchingReportEndsSettling() async throws {
        try await play()
        await engine.say(.playing, at: .zero)
        await waitUntil { clock.sleepers == 0 }
    }

    @Test func aLoadBehindOneThatIsRefusedKeepsItsItem() async throws {
        let gate = Gate()
        engine.hold(at: gate)
        let first = Task.immediate { await code { try await play() } }
        await gate.arrivals(1)
        let later = Gate()
        engine.hold(at: later)
        let second = Task.immediate {
            await code { try await playback.perform(.load(Stage.other, at: .zero, playing: true)) }
        }
        engine.fail(with: PlaybackError(.unplayable, "no such codec"))
        gate.open()
        #expect(await first.value == .unplayable)
        await later.arrivals(1)
        #expect(playback.state.playback.item == Stage.other)
        engine.fail(with: nil)
        later.open()
        #expect(await second.value == nil)
        #expect(playback.state.playback.item == Stage.other)
    }

    @Test func refusedCommandChangesNothing() async throws {
        let stage = Stage()
        try await stage.play()
        await stage.state { $0.playback.phase == .playing }
        stage.clock.advance(by: .seconds(100))
        stage.engine.fail(with: PlaybackError(.refused, "not now"))
        let refused = await code { try await stage.playback.perform(.pause) }
        #expect(refused == .refused)
        #expect(stage.playback.state.playback.phase == .playing)
        #expect(stage.playback.state.playback.position == .seconds(100))
    }
}
