import Synchronization
import Testing
import WharfChecks
import WharfFakes
import WharfPlaybackFakes

@testable import WharfPlayback

/// The device that the session leaves is paused if it may still play, so that no two play.
struct HoldingTests {
    let stage = Stage()
    var playback: Playback { stage.playback }

    private func playAtLounge() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        await stage.received()
    }

    @Test func takenOverScreenReturnsTheSessionPaused() async throws {
        playback.add(stage.kitchen)
        await stage.state { $0.followers.first?.isConnected == true }
        try await playAtLounge()
        stage.clock.advance(by: .seconds(40))
        stage.lounge.takeOver()
        let returned = try #require(await stage.returned())
        #expect(returned.error.code == .refused)
        #expect(returned.position == .seconds(40))
        await waitUntil { stage.engine.shows(.paused, at: .seconds(40)) && stage.engine.taken.count == 3 }
        await waitUntil { stage.kitchen.device.shows(.paused) }
        #expect(stage.lounge.device.shows(.playing))
        #expect(playback.state.playback.phase == .paused)
        try await playback.perform(.play)
        #expect(stage.engine.shows(.playing, at: .seconds(40)))
    }

    @Test func screenTakenOverDuringItsStopReturnsPaused() async throws {
        try await playAtLounge()
        let gate = Gate()
        stage.lounge.device.hold(at: gate)
        let transfer = Task.immediate { await code { try await playback.transferBack() } }
        await gate.arrivals(1)
        stage.lounge.takeOver()
        _ = await transfer.value
        await waitUntil { stage.engine.taken.count == 3 }
        #expect(stage.engine.shows(.paused))
    }

    @Test func sessionReturnsPausedIfTheScreenDoesNotStop() async throws {
        try await playAtLounge()
        stage.lounge.device.hold(at: Gate())
        let transfer = Task.immediate { await code { try await playback.transferBack() } }
        stage.clock.advance(by: .seconds(10))
        #expect(await transfer.value == .timedOut)
        await waitUntil { stage.engine.taken.count == 3 }
        #expect(stage.engine.shows(.paused, at: .zero))
        #expect(stage.lounge.device.shows(.playing))
        #expect(playback.state.place == .engine)
        #expect(playback.state.playback.phase == .paused)
    }

    @Test func sessionArrivesPausedIfTheEngineDoesNotPause() async throws {
        try await stage.play()
        await stage.state { $0.playback.phase == .playing }
        stage.engine.fail(with: PlaybackError(.refused, "not now"))
        let transfer = await code { try await playback.transfer(to: stage.lounge) }
        #expect(transfer == .refused)
        await waitUntil { stage.lounge.device.state.item != nil }
        #expect(stage.lounge.device.shows(.paused))
        #expect(playback.state.place == .screen(id: "lounge"))
    }

    /// The engine reports that it is paused, and refuses the pause command.
    private func transfer(
        from engine: MutePlayer, _ playback: Playback, _ prepare: () async throws -> Void
    ) async throws -> PlaybackError.Code? {
        await engine.say(.idle, nil)
        try await playback.perform(.load(Stage.film, at: .zero, playing: false))
        await engine.say(.paused)
        try await prepare()
        engine.fail(with: PlaybackError(.refused, "not now"))
        let answer = await code { try await playback.transfer(to: stage.lounge) }
        await waitUntil { stage.lounge.device.state.item != nil }
        return answer
    }

    @Test func pausedReportBeforeTheLastCommandIsIgnored() async throws {
        let engine = MutePlayer()
        let playback = Playback(engine: engine, clock: stage.clock)
        let answer = try await transfer(from: engine, playback) { try await playback.perform(.play) }
        #expect(answer == .refused)
        #expect(stage.lounge.device.shows(.paused))
    }

    @Test func pausedReportDuringTheLastCommandIsIgnored() async throws {
        let engine = MutePlayer()
        let playback = Playback(engine: engine, clock: stage.clock)
        let answer = try await transfer(from: engine, playback) {
            let gate = Gate()
            engine.hold(at: gate)
            let play = Task.immediate { try await playback.perform(.play) }
            await gate.arrivals(1)
            await engine.say(.paused, at: .seconds(1))
            gate.open()
            try await play.value
        }
        #expect(answer == .refused)
        #expect(stage.lounge.device.shows(.paused))
    }

    @Test func pausedReportBeforeATimedOutPlayIsIgnored() async throws {
        let engine = MutePlayer()
        let playback = Playback(engine: engine, clock: stage.clock)
        try await playback.perform(.load(Stage.film, at: .zero, playing: false))
        await engine.say(.paused)
        let gate = Gate()
        engine.hold(at: gate)
        let play = Task.immediate { await code { try await playback.perform(.play) } }
        let transfer = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        // If the transfer did not wait here, the engine would refuse the command, and the clock
        // would end the time to connect.
        await gate.arrivals()
        await waitUntil { stage.lounge.isConnected && playback.running.withLock { $0.steps.count } == 1 }
        engine.hold(at: nil)
        engine.fail(with: PlaybackError(.refused, "not now"))
        stage.clock.advance(by: .seconds(10))
        #expect(await play.value == .timedOut)
        #expect(await transfer.value == .refused)
        await waitUntil { stage.lounge.device.state.item != nil }
        #expect(stage.lounge.device.shows(.paused))
    }

    @Test func pausedReportAfterTheLastCommandCounts() async throws {
        let engine = MutePlayer()
        let playback = Playback(engine: engine, clock: stage.clock)
        let answer = try await transfer(from: engine, playback) {
            try await playback.perform(.play)
            await engine.say(.paused, at: .seconds(1))
        }
        #expect(answer == nil)
        #expect(stage.lounge.device.shows(.playing))
    }

    @Test func playDuringAStopThatHangsStaysPaused() async throws {
        try await playAtLounge()
        stage.lounge.device.hold(at: Gate())
        let transfer = Task.immediate { await code { try await playback.transferBack() } }
        let play = Task.immediate { await code { try await playback.perform(.play) } }
        let seek = Task.immediate { await code { try await playback.perform(.seek(to: .seconds(50))) } }
        stage.clock.advance(by: .seconds(10))
        #expect(await transfer.value == .timedOut)
        #expect(await play.value == .timedOut)
        #expect(await seek.value == nil)
        #expect(stage.engine.shows(.paused, at: .seconds(50)))
    }

    @Test func pausedSessionReturnsIfTheScreenDoesNotStop() async throws {
        try await playAtLounge()
        try await playback.perform(.pause)
        stage.lounge.device.hold(at: Gate())
        let transfer = Task.immediate { await code { try await playback.transferBack() } }
        stage.clock.advance(by: .seconds(10))
        #expect(await transfer.value == nil)
        #expect(stage.engine.shows(.paused))
    }
}
