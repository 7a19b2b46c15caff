import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

struct FollowingTests {
    let stage = Stage()
    var playback: Playback { stage.playback }

    private func added(_ screen: StubScreen, receiving kinds: PlaybackCommand.Kinds = .all) async {
        playback.add(screen, receiving: kinds)
        await stage.state { state in state.followers.contains { $0.id == screen.id && $0.isConnected } }
    }

    @Test func followerReceivesOnlyItsCommandKinds() async throws {
        await added(stage.lounge)
        await added(stage.kitchen, receiving: [.play, .stop])
        try await playback.perform(.load(Stage.film, at: .zero, playing: false))
        try await playback.perform(.play)
        await waitUntil { stage.lounge.device.taken.count == 2 }
        try await playback.perform(.progress(.seconds(5)))
        await waitUntil { stage.lounge.device.taken.count == 3 }
        try await playback.perform(.pause)
        await waitUntil { stage.lounge.device.taken.count == 4 && stage.kitchen.device.taken.count == 2 }
        try await playback.perform(.stop)
        let load = PlaybackCommand.load(Stage.film, at: .zero, playing: false)
        await waitUntil { stage.kitchen.device.taken == [load, .play, .stop] }
        await waitUntil { stage.lounge.device.taken == [load, .play, .progress(.seconds(5)), .pause, .stop] }
    }

    @Test func engineReportsReachTheFollowers() async throws {
        await added(stage.lounge)
        try await stage.play()
        await waitUntil { stage.lounge.device.taken.count == 1 }
        await stage.state { $0.playback.phase == .playing }
        stage.engine.report(PlaybackState(.playing, item: Stage.film, position: .seconds(1)))
        await waitUntil { stage.lounge.device.taken.last == .progress(.seconds(1)) }
        stage.engine.report(PlaybackState(.paused, item: Stage.film, position: .seconds(2)))
        await waitUntil { stage.lounge.device.taken.suffix(2) == [.pause, .progress(.seconds(2))] }
    }

    @Test func lateFollowerLoadsTheCurrentItem() async throws {
        try await stage.play(at: .seconds(10))
        await stage.received()
        stage.clock.advance(by: .seconds(5))
        await added(stage.lounge)
        await waitUntil { stage.lounge.device.shows(.playing, at: .seconds(15)) }
    }

    @Test func slowFollowerBlocksNoOtherAndGetsCoalescedCommands() async throws {
        await added(stage.lounge)
        await added(stage.kitchen)
        let gate = Gate()
        try await stage.play()
        await waitUntil { stage.kitchen.device.taken.count == 1 && stage.lounge.device.taken.count == 1 }
        stage.lounge.device.hold(at: gate)
        try await playback.perform(.pause)
        await gate.arrivals(1)
        for second in 1...50 { try await playback.perform(.seek(to: .seconds(second))) }
        try await playback.perform(.play)
        #expect(stage.engine.shows(.playing, at: .seconds(50)))
        await waitUntil { stage.kitchen.device.shows(.playing, at: .seconds(50)) }
        gate.open()
        await waitUntil { stage.lounge.device.shows(.playing, at: .seconds(50)) }
        let reported = stage.lounge.device.taken.filter { if case .progress = $0 { false } else { true } }
        #expect(reported.contains(.seek(to: .seconds(50))))
        #expect(reported.count <= 4)
    }

    @Test func failingFollowerIsCountedAndOthersGoOn() async throws {
        await added(stage.lounge)
        await added(stage.kitchen)
        stage.lounge.device.fail(with: PlaybackError(.refused, "not now"))
        try await stage.play()
        try await playback.perform(.pause)
        let state = await stage.state { $0.followers.first?.failures ?? 0 >= 1 }
        #expect(state.followers.first?.lastError?.code == .refused)
        await waitUntil { stage.kitchen.device.shows(.paused) }
        #expect(playback.state.followers.last?.failures == 0)
    }

    @Test func lostFollowerIsRetriedWithTheNextItem() async throws {
        await added(stage.lounge)
        try await stage.play()
        await waitUntil { stage.lounge.device.shows(.playing) }
        stage.lounge.vanish()
        let lost = await stage.state { $0.followers.first?.isConnected == false }
        #expect(lost.followers.first?.lastError?.code == .disconnected)
        #expect(lost.returned == nil)
        stage.lounge.comeBack()
        try await playback.perform(.pause)
        #expect(stage.lounge.connects == 1)
        try await stage.play(Stage.other)
        await waitUntil { stage.lounge.device.shows(.playing, Stage.other) }
        #expect(stage.engine.shows(.playing, Stage.other))
    }

    @Test func screenGivingUpTheSessionFollowsFromTheNextItem() async throws {
        await added(stage.lounge)
        await added(stage.kitchen)
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        try await playback.perform(.seek(to: .seconds(9)))
        await waitUntil { stage.kitchen.device.shows(.playing, at: .seconds(9)) }
        try await playback.transferBack()
        #expect(stage.lounge.device.state == .idle)
        #expect(stage.lounge.isConnected)
        try await playback.perform(.pause)
        // Without an item it would refuse any command.
        await letOthersRun { playback.state.followers.first?.failures != 0 }
        #expect(playback.state.followers.first?.failures == 0)
        #expect(stage.lounge.device.state == .idle)
        try await stage.play(Stage.other)
        await waitUntil { stage.lounge.device.shows(.playing, Stage.other) }
    }

    @Test func ownItemOfAFollowerIsTheSessionAfterTransfer() async throws {
        stage.lounge.device.report(PlaybackState(.playing, item: Stage.other, position: .seconds(7)))
        await added(stage.lounge)
        await letOthersRun()
        #expect(playback.state.playback == .idle)
        try await playback.transfer(to: stage.lounge)
        await waitUntil {
            playback.state.playback == PlaybackState(.playing, item: Stage.other, position: .seconds(7))
        }
        try await playback.transferBack()
        #expect(stage.engine.shows(.playing, Stage.other, at: .seconds(7)))
    }

    @Test func queuedStopReachesAFollowerGivenTheEmptySession() async throws {
        await added(stage.lounge)
        let gate = Gate()
        stage.lounge.device.hold(at: gate)
        try await stage.play()
        await gate.arrivals(1)
        try await playback.perform(.stop)
        try await playback.transfer(to: stage.lounge)
        gate.open()
        await waitUntil { stage.lounge.device.taken.last == .stop }
        #expect(stage.lounge.device.state == .idle)
        #expect(playback.state.playback == .idle)
    }

    @Test func stopDuringATransferToABusyFollowerStopsIt() async throws {
        await added(stage.lounge)
        try await stage.play()
        await waitUntil { stage.lounge.device.taken.count == 1 }
        let gate = Gate()
        stage.lounge.device.hold(at: gate)
        try await playback.perform(.progress(.seconds(4)))
        await gate.arrivals(1)
        let transfer = Task.immediate { try await playback.transfer(to: stage.lounge) }
        await waitUntil { stage.engine.shows(.paused) }
        let stop = Task.immediate { try await playback.perform(.stop) }
        gate.open()
        try await transfer.value
        try await stop.value
        #expect(stage.lounge.device.state == .idle)
        #expect(playback.state.playback == .idle)
    }

    @Test func removedFollowerIsStoppedAndDisconnected() async throws {
        await added(stage.lounge)
        try await stage.play()
        await waitUntil { stage.lounge.device.shows(.playing) }
        playback.remove(stage.lounge)
        await waitUntil { !stage.lounge.isConnected }
        #expect(stage.lounge.device.state == .idle)
        #expect(playback.state.followers.isEmpty)
        #expect(stage.engine.shows(.playing))
    }
}
