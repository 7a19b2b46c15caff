import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

struct ClosingTests {
    let stage = Stage()
    var playback: Playback { stage.playback }

    @Test func closeDisconnectsScreensThatPlayOn() async throws {
        playback.add(stage.kitchen)
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        await waitUntil { stage.kitchen.device.shows(.playing) }
        await playback.close()
        #expect(!stage.lounge.isConnected)
        #expect(!stage.kitchen.isConnected)
        #expect(stage.lounge.device.shows(.playing))
        #expect(stage.kitchen.device.shows(.playing))
        #expect(stage.clock.sleepers == 0)
        #expect(playback.state.followers.map(\.isConnected) == [false])
    }

    @Test func commandsAfterCloseAreRefused() async throws {
        try await stage.play()
        await playback.close()
        let codes = [
            await code { try await playback.perform(.pause) }, await code { try await playback.perform(.stop) },
            await code { try await playback.transfer(to: stage.lounge) },
            await code { try await playback.transferBack() },
        ]
        #expect(codes == Array(repeating: .closed, count: 4))
        playback.add(stage.kitchen)
        await letOthersRun { stage.kitchen.connects > 0 }
        #expect(stage.kitchen.connects == 0)
        #expect(playback.state.followers.isEmpty)
        #expect(stage.engine.shows(.playing))
        stage.clock.advance(by: .seconds(9))
        #expect(playback.state.playback.position == .zero)
    }

    @Test func closeFailsWaitingCommands() async throws {
        try await stage.play()
        stage.engine.hold(at: Gate())
        stage.lounge.hold(connectingAt: Gate())
        let pause = Task.immediate { await code { try await playback.perform(.pause) } }
        let seek = Task.immediate { await code { try await playback.perform(.seek(to: .seconds(2))) } }
        let transfer = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        await playback.close()
        #expect(await pause.value == .closed)
        #expect(await seek.value == .closed)
        #expect(await transfer.value == .closed)
        #expect(!stage.lounge.isConnected)
        #expect(playback.state.place == .engine)
    }

    @Test func closeFailsATransferUnderWay() async throws {
        try await stage.play()
        let gate = Gate()
        stage.engine.hold(at: gate)
        let transfer = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        await gate.arrivals(1)
        let seek = Task.immediate { await code { try await playback.perform(.seek(to: .seconds(2))) } }
        await playback.close()
        #expect(await transfer.value == .closed)
        #expect(await seek.value == .closed)
        #expect(stage.lounge.device.taken.isEmpty)
        #expect(playback.state.destination == nil)
    }

    @Test func closeReturnsWhenTheLastScreenIsDisconnected() async throws {
        let screen = SlowScreen()
        try await stage.playback.transfer(to: screen)
        let returned = Calls<Int>()
        let closings = (1...2).map { number in
            Task { [playback] in
                await playback.close()
                returned.add(number)
            }
        }
        await screen.leaving.arrivals(1)
        #expect(await returned.countWhenQuiet() == 0)
        screen.leaving.open()
        for closing in closings { await closing.value }
        #expect(await returned.countWhenQuiet() == 2)
        #expect(!screen.base.isConnected)
        await playback.close()
    }

    @Test func closeGivesUpAHangingScreenInTime() async throws {
        let screen = SlowScreen()
        try await stage.playback.transfer(to: screen)
        async let closed: Void = playback.close()
        await screen.leaving.arrivals(1)
        stage.clock.advance(by: .seconds(10))
        await closed
    }

    @Test func cancelledCloseStillDisconnects() async throws {
        try await playback.transfer(to: stage.lounge)
        let closing = Task { await playback.close() }
        closing.cancel()
        await closing.value
        #expect(!stage.lounge.isConnected)
    }

    @Test func statesEndWithTheClose() async throws {
        let states = playback.states()
        playback.add(stage.lounge)
        await stage.state { $0.followers.first?.isConnected == true }
        await playback.close()
        var last: SessionState?
        for await state in states { last = state }
        #expect(last?.followers.first?.isConnected == false)
        for await _ in playback.states() { Issue.record("told something after the end") }
    }
}

/// A screen whose disconnection waits at a gate.
private final class SlowScreen: Screen {
    let base = StubScreen("slow")
    let leaving = Gate()

    var id: String { base.id }
    var name: String { base.name }

    func connect() async throws(PlaybackError) { try await base.connect() }
    func perform(_ command: PlaybackCommand) async throws(PlaybackError) { try await base.perform(command) }
    func states() -> AsyncStream<PlaybackState> { base.states() }
    func disconnect() async {
        await leaving.pass()
        await base.disconnect()
    }
}
