import Testing
import WharfPlayback
import WharfTesting

/// What a player says that does not fit what it was told.
@Suite(.timeLimit(.minutes(1))) struct ReportTests {
    let clock = TestClock()
    let engine = MutePlayer()
    let playback: Playback

    init() { playback = Playback(engine: engine, clock: clock) }

    /// Says it, and lets it be heard.
    private func say(_ phase: PlaybackState.Phase, _ item: MediaItem? = Stage.film, at position: Duration) async {
        engine.feed.update(PlaybackState(phase, item: item, position: position))
        await letOthersRun { false }
    }

    private func state(where isSo: (PlaybackState) -> Bool) async -> PlaybackState {
        for await state in playback.states() where isSo(state.playback) { return state.playback }
        return playback.state.playback
    }

    private func play() async throws { try await playback.perform(.load(Stage.film, at: .zero, playing: true)) }

    @Test func whatDoesNotFitTheCommandCountsOnceThatHasSettled() async throws {
        try await play()
        await say(.paused, at: .seconds(30))
        #expect(playback.state.playback.phase == .loading)
        clock.advance(by: .seconds(3))
        let state = await state { $0.phase == .paused }
        #expect(state.position == .seconds(30))
    }

    @Test func whoGoesOnWithSomethingElseIsBelievedInTheEnd() async throws {
        try await play()
        await say(.playing, Stage.other, at: .seconds(8))
        clock.advance(by: .seconds(3))
        let state = await state { $0.item == Stage.other }
        #expect(state.phase == .playing)
    }

    @Test func whoNeverTakesTheItemUpIsBelievedInTheEnd() async throws {
        try await play()
        clock.advance(by: .seconds(3))
        #expect(await state { $0.phase == .idle } == .idle)
    }

    @Test func aLaterCommandGetsTheWholeTime() async throws {
        try await play()
        clock.advance(by: .seconds(2))
        try await playback.perform(.seek(to: .seconds(500)))
        await say(.playing, at: .seconds(2))
        clock.advance(by: .seconds(1))
        await letOthersRun { false }
        #expect(playback.state.playback.position == .seconds(501))
        clock.advance(by: .seconds(2))
        #expect(await state { $0.position < .seconds(500) }.position == .seconds(5))
    }

    @Test func whatWasSaidOfAnItemThatPlaysRunsOnWithTheClock() async throws {
        try await play()
        await say(.playing, at: .zero)
        clock.advance(by: .seconds(100))
        try await playback.perform(.play)
        clock.advance(by: .seconds(3))
        await letOthersRun { false }
        #expect(playback.state.playback.position == .seconds(103))
    }

    @Test func whoSaysWhatFitsIsNotWaitedFor() async throws {
        try await play()
        await say(.playing, at: .zero)
        await letOthersRun { clock.sleepers == 0 }
        #expect(clock.sleepers == 0)
    }

    @Test func aCommandThatIsRefusedMovesNothing() async throws {
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
