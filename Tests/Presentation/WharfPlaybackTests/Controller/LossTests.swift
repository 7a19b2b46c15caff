import Dispatch
import Synchronization
import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes

struct LossTests {
    let stage = Stage()
    var playback: Playback { stage.playback }

    @Test func lostScreenReturnsTheSessionAtItsPosition() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        await stage.received()
        stage.lounge.device.report(PlaybackState(.playing, item: Stage.film, position: .seconds(500)))
        await stage.state { $0.playback.position == .seconds(500) }
        stage.clock.advance(by: .seconds(40))
        stage.lounge.vanish()
        let returned = try #require(await stage.returned())
        #expect(returned.screenID == "lounge")
        #expect(returned.screenName == "Lounge")
        #expect(returned.error.code == .disconnected)
        #expect(returned.error.message.contains("(scripted)"))
        #expect(returned.position == .seconds(540))
        await waitUntil { stage.engine.shows(.playing, at: .seconds(540)) }
        #expect(playback.state.place == .engine)
    }

    @Test func pausedScreenReturnsPausedAtItsPosition() async throws {
        try await stage.play(Stage.other)
        try await playback.transfer(to: stage.lounge)
        await stage.received()
        stage.clock.advance(by: .seconds(100))
        #expect(playback.state.playback.position == .seconds(60))
        try await playback.perform(.seek(to: .seconds(30)))
        try await playback.perform(.pause)
        stage.clock.advance(by: .seconds(100))
        stage.lounge.vanish()
        #expect(await stage.returned()?.position == .seconds(30))
        await waitUntil { stage.engine.shows(.paused, Stage.other, at: .seconds(30)) }
    }

    @Test func silentScreenReturnsTheSessionItWasSent() async throws {
        let screen = MuteScreen()
        let gate = Gate()
        screen.player.hold(at: gate)
        try await stage.play(at: .seconds(80))
        let transfer = Task.immediate { await code { try await playback.transfer(to: screen) } }
        await gate.arrivals(1)
        // If the first state were read after the load, it would count as the answer to it. The
        // screen is idle.
        await screen.player.hasBeenHeard()
        gate.open()
        #expect(await transfer.value == nil)
        await playback.endSettling(stage.clock)
        screen.player.feed.finish()
        #expect(await stage.returned()?.position == .seconds(83))
        await waitUntil { stage.engine.taken.count == 3 }
        #expect(stage.engine.shows(.playing, at: .seconds(83)))
    }

    @Test func unreportedPauseHoldsWhenTheScreenIsLost() async throws {
        let screen = MuteScreen()
        try await stage.play(at: .seconds(80))
        try await playback.transfer(to: screen)
        await screen.player.say(.playing, at: .seconds(80))
        try await playback.perform(.pause)
        await playback.endSettling(stage.clock)
        screen.player.feed.finish()
        #expect(await stage.returned() != nil)
        await waitUntil { stage.engine.taken.count == 3 }
        #expect(stage.engine.shows(.paused, at: .seconds(80)))
    }

    @Test(arguments: 0..<20) func takeOverDuringACommandReturnsTheSessionPaused(_: Int) async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        let gate = Gate()
        stage.lounge.device.hold(at: gate)
        let pause = Task.immediate { await code { try await playback.perform(.seek(to: .seconds(9))) } }
        await gate.arrivals(1)
        stage.lounge.takeOver()
        #expect(await stage.returned()?.error.code == .refused)
        // The command may fail first, or the connection's states may end first.
        let answer = await pause.value
        #expect(answer == .refused || answer == .disconnected)
        await waitUntil { stage.engine.taken.count == 3 }
        #expect(stage.engine.shows(.paused))
    }

    @Test func lossIsReadWithoutHoldingTheLock() async throws {
        let screen = AskingScreen()
        screen.question.withLock { $0 = { [weak playback] in _ = playback?.state } }
        try await stage.play()
        try await playback.transfer(to: screen)
        screen.base.vanish()
        #expect(await stage.returned() != nil)
        #expect(screen.wasAnswered.withLock { $0 } == true)
        screen.base.comeBack()
        try await playback.transfer(to: screen)
        screen.isSilent.withLock { $0 = true }
        screen.base.vanish()
        #expect(await code { try await playback.perform(.pause) } == .disconnected)
        #expect(screen.wasAnswered.withLock { $0 } == true)
    }

    @Test func screenLostWhileConnectingLeavesTheSessionInPlace() async throws {
        try await stage.play()
        let gate = Gate()
        stage.lounge.hold(connectingAt: gate)
        let transfer = Task.immediate {
            await code { try await playback.transfer(to: stage.lounge) }
        }
        await gate.arrivals(1)
        stage.lounge.vanish()
        #expect(await transfer.value == .disconnected)
        #expect(playback.state.returned?.screenID == "lounge")
        #expect(playback.state.place == .engine)
        #expect(stage.engine.taken.count == 1)
    }

    @Test func slowConnectTimesOut() async throws {
        try await stage.play()
        stage.lounge.hold(connectingAt: Gate())
        let transfer = Task.immediate {
            await code { try await playback.transfer(to: stage.lounge) }
        }
        await stage.clock.untilSleeping()
        stage.clock.advance(by: .seconds(10))
        #expect(await transfer.value == .timedOut)
        #expect(playback.state.returned?.error.code == .timedOut)
        #expect(stage.engine.shows(.playing))
    }

    @Test func screenLostDuringATransferReturnsTheSession() async throws {
        try await stage.play(at: .seconds(80))
        let gate = Gate()
        stage.lounge.device.hold(at: gate)
        let transfer = Task.immediate {
            await code { try await playback.transfer(to: stage.lounge) }
        }
        await gate.arrivals(1)
        let pause = Task.immediate { await code { try await playback.perform(.pause) } }
        stage.lounge.vanish()
        #expect(await transfer.value == .disconnected)
        // The command went back with the session, and runs there.
        #expect(await pause.value == .disconnected)
        await waitUntil { stage.engine.shows(.paused, at: .seconds(80)) }
        #expect(playback.state.place == .engine)
    }

    @Test func screenThatCannotPlayTheItemReturnsIt() async throws {
        try await stage.play()
        stage.lounge.device.fail(with: PlaybackError(.unplayable, "no such codec"))
        let transfer = await code { try await playback.transfer(to: stage.lounge) }
        #expect(transfer == .unplayable)
        await waitUntil { stage.engine.shows(.playing) }
        #expect(playback.state.returned?.error.code == .unplayable)
        #expect(playback.state.place == .engine)
    }

    @Test func overtakenScreenThatFailsReturnsTheSession() async throws {
        try await stage.play()
        let gate = Gate()
        stage.lounge.device.hold(at: gate)
        let connecting = Gate()
        stage.kitchen.hold(connectingAt: connecting)
        let first = Task.immediate { await code { try await playback.transfer(to: stage.lounge) } }
        await gate.arrivals(1)
        let second = Task.immediate { await code { try await playback.transfer(to: stage.kitchen) } }
        stage.lounge.device.fail(with: PlaybackError(.unplayable, "no such codec"))
        gate.open()
        #expect(await first.value == .cancelled)
        await waitUntil { stage.engine.shows(.playing) && stage.engine.taken.count == 3 }
        #expect(playback.state.place == .engine)
        #expect(playback.state.destination == .screen(id: "kitchen"))
        // A screen that disappears before the session begins to connect does not count as lost.
        // Connecting would then hang for ever.
        await connecting.arrivals(1)
        stage.kitchen.vanish()
        #expect(await second.value == .disconnected)
    }

    @Test func screenLostWhileTheEnginePausesFailsTheTransfer() async throws {
        try await stage.play()
        let gate = Gate()
        stage.engine.hold(at: gate)
        let transfer = Task.immediate {
            await code { try await playback.transfer(to: stage.lounge) }
        }
        await gate.arrivals(1)
        stage.lounge.vanish()
        #expect(await transfer.value == .disconnected)
        gate.open()
        await waitUntil { stage.engine.shows(.playing) && stage.engine.taken.count == 3 }
        #expect(playback.state.place == .engine)
    }

    @Test func failedCommandLeavesTheSessionOnTheScreen() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        await stage.state { $0.playback.phase == .playing }
        stage.lounge.device.fail(with: PlaybackError(.refused, "no seeking in this"))
        let refused = await code { try await playback.perform(.pause) }
        #expect(refused == .refused)
        #expect(playback.state.place == .screen(id: "lounge"))
        #expect(playback.state.playback.phase == .playing)
    }

    @Test func laterTransferClearsTheReturnReason() async throws {
        try await stage.play()
        try await playback.transfer(to: stage.lounge)
        stage.lounge.vanish()
        #expect(await stage.returned() != nil)
        stage.lounge.comeBack()
        try await playback.transfer(to: stage.lounge)
        #expect(playback.state.returned == nil)
        #expect(playback.state.place == .screen(id: "lounge"))
        await waitUntil { stage.engine.shows(.paused) }
        #expect(stage.lounge.device.shows(.playing))
    }
}

/// A screen that runs code on another thread before it reports its loss.
private final class AskingScreen: Screen {
    let base = StubScreen("asking")
    let question = Mutex<(@Sendable () -> Void)?>(nil)
    /// Whether that code has returned each time, or nil if no loss was read.
    let wasAnswered = Mutex<Bool?>(nil)
    /// Whether its states continue after it has disappeared.
    let isSilent = Mutex(false)

    var id: String { base.id }
    var name: String { base.name }

    var loss: PlaybackError? {
        let answered = DispatchSemaphore(value: 0)
        DispatchQueue(label: "asking").async { [self] in
            question.withLock { $0 }?()
            answered.signal()
        }
        // There is no time limit: code that finds a lock held is a deadlock.
        answered.wait()
        wasAnswered.withLock { $0 = true }
        return base.loss
    }

    func connect() async throws(PlaybackError) { try await base.connect() }
    func perform(_ command: PlaybackCommand) async throws(PlaybackError) { try await base.perform(command) }
    func disconnect() async { await base.disconnect() }

    func states() -> AsyncStream<PlaybackState> {
        let states = base.states()
        return AsyncStream { continuation in
            let task = Task { [self] in
                for await state in states { continuation.yield(state) }
                if !isSilent.withLock({ $0 }) { continuation.finish() }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
