import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

struct LatestWinsTests {
    let stage = Stage()
    var playback: Playback { stage.playback }

    @Test func lastSeekOfABurstWins() async throws {
        try await stage.play()
        let gate = Gate()
        stage.engine.hold(at: gate)
        var seeks = [
            Task.immediate {
                await code { try await playback.perform(.seek(to: .seconds(1))) }
            }
        ]
        await gate.arrivals(1)
        for second in 2...20 {
            seeks.append(
                Task.immediate {
                    await code { try await playback.perform(.seek(to: .seconds(second))) }
                })
        }
        #expect(playback.state.playback.position == .seconds(20))
        gate.open()
        var codes: [PlaybackError.Code?] = []
        for seek in seeks { codes.append(await seek.value) }
        #expect(codes == [nil] + Array(repeating: .cancelled, count: 18) + [nil])
        #expect(stage.engine.taken.suffix(2) == [.seek(to: .seconds(1)), .seek(to: .seconds(20))])
    }

    @Test func aPauseBehindAPlayIsNeverOvertaken() async throws {
        try await playback.perform(.load(Stage.film, at: .zero, playing: false))
        let gate = Gate()
        stage.engine.hold(at: gate)
        let play = Task.immediate { try await playback.perform(.play) }
        await gate.arrivals(1)
        let pause = Task.immediate { try await playback.perform(.pause) }
        gate.open()
        try await play.value
        try await pause.value
        #expect(stage.engine.taken.suffix(2) == [.play, .pause])
        #expect(stage.engine.shows(.paused))
    }

    @Test func laterLoadReplacesAPendingOne() async throws {
        let gate = Gate()
        stage.engine.hold(at: gate)
        let first = Task.immediate { await code { try await stage.play() } }
        await gate.arrivals(1)
        let second = Task.immediate { await code { try await stage.play(at: .seconds(3)) } }
        let third = Task.immediate { await code { try await stage.play(Stage.other) } }
        gate.open()
        #expect(await first.value == nil)
        #expect(await second.value == .cancelled)
        #expect(await third.value == nil)
        #expect(stage.engine.shows(.playing, Stage.other))
        #expect(stage.engine.taken.count == 2)
    }

    @Test func cancelledCallerDoesNotUndoItsCommand() async throws {
        try await stage.play()
        let gate = Gate()
        stage.engine.hold(at: gate)
        let pause = Task.immediate { await code { try await playback.perform(.pause) } }
        await gate.arrivals(1)
        pause.cancel()
        #expect(await pause.value == .cancelled)
        gate.open()
        await waitUntil { stage.engine.shows(.paused) }
    }

    @Test func hangingCommandTimesOutAndTheNextIsSent() async throws {
        try await stage.play()
        let gate = Gate()
        stage.engine.hold(at: gate)
        let pause = Task.immediate { await code { try await playback.perform(.pause) } }
        await gate.arrivals(1)
        await stage.clock.untilSleeping()
        stage.engine.hold(at: nil)
        stage.clock.advance(by: .seconds(10))
        #expect(await pause.value == .timedOut)
        try await playback.perform(.seek(to: .seconds(4)))
        #expect(stage.engine.shows(.playing, at: .seconds(4)))
    }

    @Test func screenRequestedAgainDuringItsCancellationConnects() async throws {
        let screen = HesitantScreen()
        let first = Task.immediate { await code { try await playback.transfer(to: screen) } }
        await screen.gate.arrivals(1)
        try await playback.transferBack()
        let third = Task.immediate { await code { try await playback.transfer(to: screen) } }
        screen.gate.open()
        #expect(await first.value == .cancelled)
        #expect(await third.value == nil)
        #expect(screen.base.isConnected)
        #expect(playback.state.returned == nil)
    }

    @Test func withoutAnItemCommandsAreRefused() async {
        for command in [.play, .pause, .seek(to: .zero)] as [PlaybackCommand] {
            let refused = await code { try await playback.perform(command) }
            #expect(refused == .refused)
        }
        #expect(stage.engine.taken.isEmpty)
    }

    @Test func positionFollowsTheClockWithinTheItem() async throws {
        try await stage.play(at: .seconds(-5))
        #expect(stage.engine.shows(.playing, at: .zero))
        await stage.state { $0.playback.phase == .playing }
        stage.clock.advance(by: .seconds(3))
        #expect(playback.state.playback.position == .seconds(3))
        try await playback.perform(.pause)
        // Less than the time within which the device may report its position, which this clock does
        // not measure.
        stage.clock.advance(by: .seconds(2))
        #expect(playback.state.playback.position == .seconds(3))
        try await playback.perform(.seek(to: .seconds(9_999)))
        #expect(stage.engine.shows(.paused, at: .seconds(3600)))
    }

    @Test func unreferencedPlaybackIsReleased() async throws {
        weak var gone: Playback?
        do {
            let playback = Playback(engine: stage.engine, clock: stage.clock)
            gone = playback
            playback.add(stage.lounge)
            try await playback.perform(.load(Stage.film, at: .zero, playing: true))
        }
        await waitUntil { gone == nil }
    }
}

/// A screen that notices its caller's cancellation only at a gate.
private final class HesitantScreen: Screen {
    let base = StubScreen("hesitant")
    let gate = Gate()

    var id: String { base.id }
    var name: String { base.name }

    func connect() async throws(PlaybackError) {
        await Task { [gate] in await gate.pass() }.value
        try await base.connect()
    }
    func perform(_ command: PlaybackCommand) async throws(PlaybackError) { try await base.perform(command) }
    func states() -> AsyncStream<PlaybackState> { base.states() }
    func disconnect() async { await base.disconnect() }
}
