import Testing
import WharfCore
import WharfFakes
import WharfPlayback

@testable import WharfDLNA

struct ScreenConnectionTests {
    private let renderer = FakeRenderer()
    private var clock: TestClock { renderer.clock }

    /// The next state that satisfies the predicate.
    private func state(
        in states: AsyncStream<PlaybackState>, _ isWanted: (PlaybackState) -> Bool
    ) async -> PlaybackState? {
        for await state in states where isWanted(state) { return state }
        return nil
    }

    @Test func screenHasTheNameAndIdentityOfTheDevice() async throws {
        let screen = try await renderer.screen()
        #expect(screen.name == "Den & Co")
        #expect(screen.id == "uuid:1")
    }

    @Test func withoutAConnectionThereAreNoStatesAndNoCommands() async throws {
        let screen = try await renderer.screen()
        for await _ in screen.states() { Issue.record("a state without a connection") }
        for command in [PlaybackCommand.stop, .play, .load(Samples.film, at: .zero, playing: true)] {
            let error = await #expect(throws: PlaybackError.self) { try await screen.perform(command) }
            #expect(error?.code == .disconnected)
        }
        await screen.disconnect()
    }

    @Test func progressAndTheEndAreReported() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        try await screen.perform(.load(Samples.film, at: .seconds(90), playing: true))
        try await clock.running {
            let states = screen.states()
            #expect(await state(in: states) { $0.position >= .seconds(91) }?.phase == .playing)
            #expect(
                await state(in: states) { $0.phase != .playing }
                    == PlaybackState(.ended, item: Samples.film, position: .seconds(100)))
        }
        // It plays from the start again.
        try await screen.perform(.play)
        #expect(screen.playback.state == PlaybackState(.playing, item: Samples.film))
        #expect(renderer.orders.suffix(2) == ["SetAVTransportURI", "Play"])
    }

    @Test func seekAfterTheEndPausesAtItsPosition() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        try await screen.perform(.load(Samples.film, at: .seconds(99), playing: true))
        clock.advance(by: .milliseconds(999))
        renderer.set { ($0.state, $0.base.position) = ("STOPPED", .zero) }
        try await screen.perform(.pause)
        #expect(screen.playback.state == PlaybackState(.ended, item: Samples.film, position: .seconds(100)))
        try await screen.perform(.seek(to: .seconds(30)))
        #expect(screen.playback.state == PlaybackState(.paused, item: Samples.film, position: .seconds(30)))
    }

    @Test func changeMadeAtTheDeviceIsReported() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        try await screen.perform(.load(Samples.film, at: .seconds(10), playing: true))
        let states = screen.states()
        renderer.set { $0.state = "PAUSED_PLAYBACK" }
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        #expect(await state(in: states) { $0.phase == .paused }?.item == Samples.film)
        renderer.set { $0.state = "STOPPED" }
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        #expect(await state(in: states) { $0.phase != .paused } == .idle)
        renderer.set {
            ($0.uri, $0.metadata) = (Samples.song.url, "")
            $0.state = "PLAYING"
        }
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        let other = await state(in: states) { $0.phase == .playing }
        #expect(other?.item?.url == Samples.song.url)
    }

    @Test func respelledItemURLIsTheSameItem() async throws {
        renderer.set { $0.habits.respells = true }
        let screen = try await renderer.screen()
        try await screen.connect()
        try await screen.perform(.load(Samples.song, at: .zero, playing: true))
        #expect(screen.playback.state.item == Samples.song)
        try await screen.perform(.pause)
        #expect(screen.playback.state == PlaybackState(.paused, item: Samples.song))
    }

    @Test func deviceIsLostAfterThreeUnansweredPolls() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        let states = screen.states()
        renderer.set { $0.presence = .gone }
        for _ in 0..<2 {
            await clock.untilSleeping()
            clock.advance(by: .seconds(1))
        }
        await clock.untilSleeping()
        #expect(screen.loss == nil)
        clock.advance(by: .seconds(1))
        for await _ in states {}
        #expect(screen.loss?.code == .disconnected)
        #expect(screen.loss?.message.contains("none of 3 polls") == true)
        let error = await #expect(throws: PlaybackError.self) { try await screen.perform(.play) }
        #expect(error?.code == .disconnected)
        // The device comes back.
        renderer.set { $0.presence = .there }
        try await screen.connect()
        #expect(screen.loss == nil)
        #expect(await state(in: screen.states()) { _ in true } == .idle)
    }

    @Test func missedPollAmongAnswersIsNoLoss() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        for round in 0..<10 {
            // The query before has its answer.
            await clock.untilSleeping()
            renderer.set { $0.presence = round % 3 == 2 ? .there : .gone }
            clock.advance(by: .seconds(1))
        }
        await clock.untilSleeping()
        #expect(screen.loss == nil)
        try? await screen.perform(.stop)
    }

    @Test func hangingDeviceIsLostAfterThreeTimeouts() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        let states = screen.states()
        renderer.set { $0.presence = .hanging }
        for number in 1...3 {
            await clock.untilSleeping()
            clock.advance(by: .seconds(1))
            await renderer.hanging.arrivals(number)
            await clock.untilSleeping()
            clock.advance(by: .seconds(5))
        }
        for await _ in states {}
        #expect(screen.loss?.code == .disconnected)
        #expect((screen.loss?.cause as? PlaybackError)?.code == .timedOut)
    }

    @Test func refusedPollIsNoLoss() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        renderer.set { $0.bodies["GetTransportInfo"] = Samples.fault(501) }
        for _ in 0..<5 {
            await clock.untilSleeping()
            clock.advance(by: .seconds(1))
        }
        await clock.untilSleeping()
        #expect(screen.loss == nil)
        await screen.disconnect()
    }

    @Test func disconnectEndsTheStatesAndLeavesTheDevicePlaying() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        try await screen.perform(.load(Samples.film, at: .seconds(10), playing: true))
        let orders = renderer.orders
        let states = screen.states()
        await screen.disconnect()
        await screen.disconnect()
        for await _ in states {}
        #expect(screen.loss == nil)
        let error = await #expect(throws: PlaybackError.self) { try await screen.perform(.play) }
        #expect(error?.code == .disconnected)
        clock.advance(by: .seconds(5))
        // A screen that reconnects finds the current position, also on a second call.
        try await screen.connect()
        try await screen.connect()
        #expect(
            await state(in: screen.states()) { _ in true }
                == PlaybackState(.playing, item: Samples.film, position: .seconds(15)))
        // A screen that never loaded the item finds it too.
        let other = try await renderer.screen()
        try await other.connect()
        #expect(await state(in: other.states()) { _ in true }?.item == Samples.film)
        #expect(renderer.orders == orders)
    }

    @Test func connectingIsCancelledAtOnce() async throws {
        let screen = try await renderer.screen()
        renderer.set { $0.presence = .hanging }
        let task = Task { try await screen.connect() }
        await renderer.hanging.arrivals()
        task.cancel()
        let error = await #expect(throws: PlaybackError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await screen.connect()
        }
        let other = await #expect(throws: PlaybackError.self) { try await late.value }
        #expect(other?.code == .cancelled)
    }

    @Test func disconnectDuringConnectCancelsIt() async throws {
        let gate = Gate()
        let network = StubTransport { [renderer] request in
            let answer = await renderer.answer(request)
            return request.head.method == .post ? answer.held(by: gate) : answer
        }
        let screen = try await DLNAScreen.at(FakeRenderer.location, transport: network, clock: clock)
        let task = Task { try await screen.connect() }
        await gate.arrivals()
        await screen.disconnect()
        gate.open()
        let error = await #expect(throws: PlaybackError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        for await _ in screen.states() { Issue.record("a state without a connection") }
    }

    @Test func disconnectEndsRunningAndQueuedCommands() async throws {
        let screen = try await renderer.screen()
        try await screen.connect()
        renderer.set { $0.presence = .hanging }
        let command = Task { try await screen.perform(.load(Samples.film, at: .zero, playing: true)) }
        await renderer.hanging.arrivals()
        let next = Task { try await screen.perform(.play) }
        await screen.disconnect()
        for task in [command, next] {
            let error = await #expect(throws: PlaybackError.self) { try await task.value }
            #expect(error?.code == .disconnected)
        }
        #expect(screen.loss == nil)
        let connecting = Task { try await screen.connect() }
        await renderer.hanging.arrivals(2)
        await screen.disconnect()
        let error = await #expect(throws: PlaybackError.self) { try await connecting.value }
        #expect(error?.code == .cancelled)
        #expect(error?.message.contains("was disconnected before") == true)
        // The screen can be connected again.
        renderer.set { $0.presence = .there }
        try await screen.connect()
        try await screen.perform(.load(Samples.song, at: .zero, playing: true))
        #expect(renderer.orders == ["SetAVTransportURI", "Play"])
    }

    @Test func reconnectedScreenKnowsTheItemStillLoaded() async throws {
        renderer.set { $0.habits.respells = true }
        let screen = try await renderer.screen()
        try await screen.connect()
        try await screen.perform(.load(Samples.film, at: .zero, playing: true))
        renderer.set { $0.presence = .hanging }
        let command = Task { try await screen.perform(.load(Samples.song, at: .zero, playing: true)) }
        await renderer.hanging.arrivals()
        await screen.disconnect()
        await #expect(throws: PlaybackError.self) { try await command.value }
        renderer.set { $0.presence = .there }
        try await screen.connect()
        // The song never reached the device.
        #expect(screen.playback.state.item == Samples.film)
    }

    @Test func anotherDeviceAtTheAddressIsRefused() async throws {
        let screen = try await renderer.screen()
        let network = StubTransport([
            .ok(Samples.description), .ok(Samples.description(base: "", control: "/c", udn: "uuid:2")),
        ])
        let moved = try await DLNAScreen.at(FakeRenderer.location, transport: network, clock: clock)
        #expect(moved.id == screen.id)
        let error = await #expect(throws: PlaybackError.self) { try await moved.connect() }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("uuid:2") == true)
    }

    @Test func connectToAnAbsentDeviceFails() async throws {
        let screen = try await renderer.screen()
        renderer.set { $0.presence = .gone }
        let error = await #expect(throws: PlaybackError.self) { try await screen.connect() }
        #expect(error?.code == .disconnected)
    }

    @Test func releasedScreenStopsPolling() async throws {
        var screen: DLNAScreen? = try await renderer.screen()
        try await screen?.connect()
        await clock.untilSleeping()
        weak let gone = screen
        let states = screen?.states()
        screen = nil
        #expect(gone == nil)
        for await _ in try #require(states) {}
    }
}
