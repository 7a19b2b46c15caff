import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

struct TransferTests {
    let stage = Stage()
    var playback: Playback { stage.playback }

    @Test func transferTakesItemAndPositionAndPausesTheEngine() async throws {
        try await stage.play(at: .seconds(100))
        await stage.received()
        stage.clock.advance(by: .seconds(20))
        try await playback.transfer(to: stage.lounge)
        #expect(stage.lounge.device.shows(.playing, at: .seconds(120)))
        #expect(stage.engine.shows(.paused))
        #expect(playback.state.place == .screen(id: "lounge"))
        try await playback.perform(.seek(to: .seconds(300)))
        #expect(stage.lounge.device.shows(.playing, at: .seconds(300)))
        #expect(stage.engine.shows(.paused, at: .seconds(100)))
    }

    @Test func transferBackReturnsItemAndPosition() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        try await playback.perform(.load(Stage.other, at: .seconds(10), playing: true))
        try await playback.perform(.pause)
        stage.clock.advance(by: .seconds(5))
        try await playback.transferBack()
        #expect(stage.engine.shows(.paused, Stage.other, at: .seconds(10)))
        await waitUntil { !stage.lounge.isConnected }
        #expect(stage.lounge.device.state == .idle)
        #expect(playback.state.place == .engine)
    }

    @Test func transferBetweenScreensStopsTheFirst() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        await stage.received()
        stage.clock.advance(by: .seconds(30))
        try await playback.transfer(to: stage.kitchen)
        #expect(stage.kitchen.device.shows(.playing, at: .seconds(30)))
        #expect(stage.lounge.device.state == .idle)
        #expect(stage.engine.shows(.paused))
        #expect(stage.engine.taken.count == 2)
    }

    @Test func nextItemGoesToAScreenTransferredWithoutOne() async throws {
        try await playback.transfer(to: stage.lounge)
        try await stage.play()
        #expect(stage.lounge.device.shows(.playing))
        #expect(stage.engine.taken.isEmpty)
    }

    @Test func commandsDuringATransferGoAlong() async throws {
        try await stage.play()
        let gate = Gate()
        stage.engine.hold(at: gate)
        let transfer = Task.immediate { try await playback.transfer(to: stage.lounge) }
        await gate.arrivals(1)
        let seek = Task.immediate { try await playback.perform(.seek(to: .seconds(50))) }
        let pause = Task.immediate { try await playback.perform(.pause) }
        #expect(stage.lounge.device.taken.isEmpty)
        gate.open()
        try await transfer.value
        try await seek.value
        try await pause.value
        #expect(stage.lounge.device.taken == [.load(Stage.film, at: .seconds(50), playing: false)])
    }

    @Test func positionStandsStillDuringATransfer() async throws {
        try await stage.play()
        let gate = Gate()
        stage.engine.hold(at: gate)
        let transfer = Task.immediate { try await playback.transfer(to: stage.lounge) }
        await gate.arrivals(1)
        let seek = Task.immediate { try await playback.perform(.seek(to: .seconds(50))) }
        stage.clock.advance(by: .seconds(8))
        #expect(playback.state.playback.position == .seconds(50))
        gate.open()
        try await transfer.value
        try await seek.value
        #expect(stage.lounge.device.shows(.playing, at: .seconds(50)))
        stage.clock.advance(by: .seconds(1))
        #expect(playback.state.playback.position == .seconds(51))
    }

    @Test func endedItemPlayedDuringATransferStartsAtZero() async throws {
        try await stage.play(Stage.other)
        await stage.state { $0.playback.phase == .playing }
        stage.engine.report(PlaybackState(.ended, item: Stage.other, position: .seconds(60)))
        await stage.state { $0.playback.phase == .ended }
        let gate = Gate()
        stage.engine.hold(at: gate)
        let transfer = Task.immediate { try await playback.transfer(to: stage.lounge) }
        await gate.arrivals(1)
        let play = Task.immediate { try await playback.perform(.play) }
        gate.open()
        try await transfer.value
        try await play.value
        #expect(stage.lounge.device.shows(.playing, Stage.other, at: .zero))
    }

    @Test func enginePlaysUntilTheScreenIsConnected() async throws {
        try await stage.play()
        let gate = Gate()
        stage.lounge.hold(connectingAt: gate)
        let transfer = Task.immediate { try await playback.transfer(to: stage.lounge) }
        await gate.arrivals(1)
        #expect(stage.engine.shows(.playing))
        #expect(playback.state.destination == .screen(id: "lounge"))
        try await playback.perform(.seek(to: .seconds(70)))
        #expect(stage.engine.shows(.playing, at: .seconds(70)))
        gate.open()
        try await transfer.value
        #expect(stage.lounge.device.shows(.playing, at: .seconds(70)))
        #expect(playback.state.destination == nil)
    }

    @Test func laterTransferCancelsTheOneBefore() async throws {
        try await stage.play()
        stage.lounge.hold(connectingAt: Gate())
        let first = Task.immediate {
            await code { try await playback.transfer(to: stage.lounge) }
        }
        try await playback.transfer(to: stage.kitchen)
        #expect(await first.value == .cancelled)
        #expect(stage.kitchen.device.shows(.playing))
        #expect(stage.lounge.device.taken.isEmpty)
        #expect(!stage.lounge.isConnected)
        #expect(playback.state.returned == nil)
    }

    @Test func transferBackCancelsATransferUnderWay() async throws {
        try await stage.play()
        stage.lounge.hold(connectingAt: Gate())
        let first = Task.immediate {
            await code { try await playback.transfer(to: stage.lounge) }
        }
        try await playback.transferBack()
        #expect(await first.value == .cancelled)
        #expect(stage.engine.taken.count == 1)
        #expect(playback.state.destination == nil)
    }

    @Test func overtakenTransferStopsItsScreen() async throws {
        try await stage.play()
        let gate = Gate()
        stage.lounge.device.hold(at: gate)
        let first = Task.immediate {
            await code { try await playback.transfer(to: stage.lounge) }
        }
        await gate.arrivals(1)
        let second = Task.immediate { try await playback.transfer(to: stage.kitchen) }
        await waitUntil { stage.kitchen.isConnected }
        #expect(stage.kitchen.device.taken.isEmpty)
        gate.open()
        try await second.value
        #expect(await first.value == .cancelled)
        #expect(stage.kitchen.device.shows(.playing))
        #expect(stage.lounge.device.state == .idle)
    }

    @Test func concurrentTransfersToOneScreenCoalesce() async throws {
        try await stage.play()
        let gate = Gate()
        stage.lounge.hold(connectingAt: gate)
        let first = Task.immediate { try await playback.transfer(to: stage.lounge) }
        let second = Task.immediate { try await playback.transfer(to: stage.lounge) }
        await gate.arrivals(1)
        gate.open()
        try await first.value
        try await second.value
        try await playback.transfer(to: stage.lounge)
        #expect(stage.lounge.connects == 1)
        #expect(stage.lounge.device.taken.count == 1)
    }

    @Test func changeMadeAtTheScreenIsTransferredBack() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        await stage.received()
        stage.lounge.device.report(PlaybackState(.paused, item: Stage.film, position: .seconds(900)))
        await stage.state { $0.playback.phase == .paused }
        try await playback.transferBack()
        #expect(stage.engine.shows(.paused, at: .seconds(900)))
    }

    @Test func itemStartedAtTheScreenIsTransferredBack() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        await stage.received()
        stage.lounge.device.report(PlaybackState(.playing, item: Stage.other, position: .seconds(7)))
        await stage.state { $0.playback.item == Stage.other }
        try await playback.transferBack()
        #expect(stage.engine.shows(.playing, Stage.other, at: .seconds(7)))
    }

    @Test func stopAtTheScreenForgetsTheItem() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        await stage.received()
        stage.lounge.device.report(.idle)
        await stage.state { $0.playback == .idle }
        // The engine had kept the item to take the session back, and has released it.
        await waitUntil { stage.engine.state == .idle }
        let refused = await code { try await playback.perform(.play) }
        #expect(refused == .refused)
    }
}
