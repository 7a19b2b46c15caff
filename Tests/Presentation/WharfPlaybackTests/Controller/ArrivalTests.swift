import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

/// Only the load of a transfer, and the commands after it, decide whether the transfer has arrived.
struct ArrivalTests {
    let stage = Stage()
    var playback: Playback { stage.playback }
    private let unplayable = PlaybackError(.unplayable, "no such codec")

    /// The lounge is a follower. It is still at its load as a follower when the session is
    /// transferred to it.
    private func transferWhileItLoads(_ old: Gate) async throws -> Task<PlaybackError.Code?, Never> {
        playback.add(stage.lounge)
        await stage.state { $0.followers.first?.isConnected == true }
        stage.lounge.device.hold(at: old)
        try await stage.play()
        await old.arrivals(1)
        let transfer = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        await stage.state { $0.place == .screen(id: "lounge") }
        await waitUntil { stage.engine.shows(.paused) }
        return transfer
    }

    @Test func staleLoadSuccessDoesNotDecideATransfer() async throws {
        let (old, new) = (Gate(), Gate())
        let transfer = try await transferWhileItLoads(old)
        stage.lounge.device.hold(at: new)
        old.open()
        await new.arrivals(1)
        #expect(stage.lounge.device.taken.count == 1)
        #expect(playback.state.destination == .screen(id: "lounge"))
        stage.lounge.device.fail(with: unplayable)
        new.open()
        #expect(await transfer.value == .unplayable)
        #expect(playback.state.returned?.error.code == .unplayable)
    }

    @Test func staleLoadFailureDoesNotDecideATransfer() async throws {
        let (old, new) = (Gate(), Gate())
        let transfer = try await transferWhileItLoads(old)
        stage.lounge.device.hold(at: new)
        stage.lounge.device.fail(with: unplayable)
        old.open()
        await new.arrivals(1)
        stage.lounge.device.fail(with: nil)
        new.open()
        #expect(await transfer.value == nil)
        #expect(stage.lounge.device.shows(.playing))
        #expect(playback.state.returned == nil)
    }

    @Test func laterCommandDoesNotHideAFailedLoad() async throws {
        try await stage.play()
        let gate = Gate()
        stage.lounge.device.hold(at: gate)
        let transfer = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        await gate.arrivals(1)
        let pause = Task.immediate { await code { try await playback.perform(.pause) } }
        stage.lounge.device.fail(with: unplayable)
        gate.open()
        #expect(await transfer.value == .unplayable)
        #expect(await pause.value == nil)
        #expect(stage.engine.shows(.paused))
        #expect(playback.state.place == .engine)
        #expect(playback.state.returned?.error.code == .unplayable)
    }
}
