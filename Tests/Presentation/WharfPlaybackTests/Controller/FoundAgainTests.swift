import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

/// A screen that is found again at another address is another object with the same id.
struct FoundAgainTests {
    let stage = Stage()
    let newer = StubScreen("lounge", name: "Lounge, moved")
    var playback: Playback { stage.playback }

    private func lose(_ screen: StubScreen) async {
        screen.vanish()
        await stage.state { $0.followers.first?.isConnected == false }
    }

    @Test func followerIsConnectedAtItsNewAddress() async throws {
        stage.lounge.vanish()
        playback.add(stage.lounge)
        await stage.state { $0.followers.first?.failures == 1 }
        playback.add(newer)
        try await stage.play()
        await waitUntil { newer.device.shows(.playing) }
        #expect(playback.state.followers.map(\.name) == ["Lounge, moved"])
        #expect(stage.lounge.connects == 1)
    }

    @Test func transferGoesToTheNewAddress() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        stage.lounge.vanish()
        #expect(await stage.returned() != nil)
        try await playback.transfer(to: newer)
        #expect(newer.device.shows(.playing))
        newer.vanish()
        #expect(await stage.returned()?.screenName == "Lounge, moved")
    }

    @Test func connectedFollowerUsesItsNewAddressOnceLost() async throws {
        playback.add(stage.lounge)
        await stage.state { $0.followers.first?.isConnected == true }
        playback.add(newer)
        try await stage.play()
        await waitUntil { stage.lounge.device.shows(.playing) }
        #expect(newer.connects == 0)
        await lose(stage.lounge)
        try await stage.play(Stage.other)
        await waitUntil { newer.device.shows(.playing, Stage.other) }
        #expect(stage.lounge.connects == 1)
    }

    @Test func newAddressIsTriedIfTheOldOneFails() async throws {
        try await stage.play()
        let gate = Gate()
        stage.lounge.hold(connectingAt: gate)
        let first = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        await gate.arrivals(1)
        let second = Task.immediate { await code { try await playback.transfer(to: newer) } }
        stage.lounge.vanish()
        #expect(await first.value == nil)
        #expect(await second.value == nil)
        #expect(newer.device.shows(.playing))
        #expect(playback.state.returned == nil)
    }

    @Test func concurrentTransfersTryTheScreenOnce() async throws {
        let gate = Gate()
        stage.lounge.hold(connectingAt: gate)
        let first = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        await gate.arrivals(1)
        let second = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        stage.lounge.vanish()
        #expect(await first.value == .disconnected)
        #expect(await second.value == .disconnected)
        #expect(stage.lounge.connects == 1)
    }

    @Test func lastAddedAddressWins() async throws {
        playback.add(stage.lounge)
        await stage.state { $0.followers.first?.isConnected == true }
        playback.add(newer)
        playback.add(stage.lounge)
        await lose(stage.lounge)
        stage.lounge.comeBack()
        try await stage.play()
        await waitUntil { stage.lounge.device.shows(.playing) }
        #expect(newer.connects == 0)
    }
}
