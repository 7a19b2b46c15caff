import Testing
import WharfFakes
import WharfPlayback

@testable import WharfDLNA

@Suite struct ScreenCommandTests {
    private func connected(
        _ habits: FakeRenderer.Habits = .init(), confirmation: Duration = .zero
    ) async throws -> (DLNAScreen, FakeRenderer) {
        let renderer = FakeRenderer(habits)
        let screen = try await renderer.screen(timing: DLNATiming(confirmation: confirmation))
        try await screen.connect()
        return (screen, renderer)
    }

    @Test func aFilmPlaysFromItsPosition() async throws {
        let (screen, renderer) = try await connected()
        try await screen.perform(.load(Samples.film, at: .seconds(42), playing: true))
        #expect(renderer.orders == ["SetAVTransportURI", "Play", "Seek 00:00:42"])
        #expect(screen.playback.state == PlaybackState(.playing, item: Samples.film, position: .seconds(42)))
        #expect(renderer.uri == Samples.film.url)
    }

    @Test func pausedLoadHoldsAtItsPosition() async throws {
        let (screen, renderer) = try await connected()
        try await screen.perform(.load(Samples.film, at: .seconds(42), playing: false))
        #expect(renderer.orders == ["SetAVTransportURI", "Play", "Seek 00:00:42", "Pause"])
        #expect(screen.playback.state == PlaybackState(.paused, item: Samples.film, position: .seconds(42)))
    }

    @Test func aFilmFromItsStartNeedsNoSeek() async throws {
        let (screen, renderer) = try await connected()
        try await screen.perform(.load(Samples.film, at: .zero, playing: true))
        #expect(renderer.orders == ["SetAVTransportURI", "Play"])
    }

    @Test func laterLoadStopsARendererThatKeepsItsItem() async throws {
        let (screen, renderer) = try await connected(.init(keepsItsItem: true))
        try await screen.perform(.load(Samples.film, at: .zero, playing: true))
        try await screen.perform(.load(Samples.song, at: .zero, playing: true))
        #expect(renderer.orders == ["SetAVTransportURI", "Play", "Stop", "SetAVTransportURI", "Play"])
        #expect(screen.playback.state == PlaybackState(.playing, item: Samples.song))
    }

    @Test func commandsGiveTheirStatesAndActions() async throws {
        let (screen, renderer) = try await connected()
        try await screen.perform(.load(Samples.film, at: .zero, playing: true))
        renderer.clock.advance(by: .milliseconds(900))
        try await screen.perform(.pause)
        #expect(screen.playback.state == PlaybackState(.paused, item: Samples.film, position: .milliseconds(900)))
        try await screen.perform(.pause)
        try await screen.perform(.seek(to: .seconds(60)))
        #expect(screen.playback.state == PlaybackState(.paused, item: Samples.film, position: .seconds(60)))
        try await screen.perform(.play)
        try await screen.perform(.progress(.seconds(1)))
        try await screen.perform(.seek(to: .milliseconds(90_500)))
        #expect(screen.playback.state == PlaybackState(.playing, item: Samples.film, position: .milliseconds(90_500)))
        try await screen.perform(.seek(to: .seconds(-1)))
        try await screen.perform(.seek(to: .seconds(1_000)))
        try await screen.perform(.stop)
        #expect(screen.playback.state == .idle)
        try await screen.perform(.stop)
        #expect(
            renderer.orders.dropFirst(2)
                == ["Pause", "Seek 00:01:00", "Play", "Seek 00:01:30.500", "Seek 00:00:00", "Seek 00:01:40", "Stop"])
    }

    @Test func withoutAnItemCommandsAreRefused() async throws {
        let (screen, renderer) = try await connected()
        for command in [PlaybackCommand.play, .pause, .seek(to: .seconds(1))] {
            let error = await #expect(throws: PlaybackError.self) { try await screen.perform(command) }
            #expect(error?.code == .refused)
        }
        try await screen.perform(.stop)
        try await screen.perform(.progress(.seconds(1)))
        #expect(renderer.orders == [])
    }

    @Test func aSeekWaitsUntilTheTransportIsReady() async throws {
        let (screen, renderer) = try await connected(.init(transitions: 5))
        try await renderer.clock.running {
            try await screen.perform(.load(Samples.film, at: .seconds(42), playing: false))
        }
        #expect(renderer.orders == ["SetAVTransportURI", "Play", "Seek 00:00:42", "Pause"])
        #expect(screen.playback.state.phase == .paused)
        #expect(renderer.clock.now.offset >= .seconds(4))
    }

    @Test func seekDuringATransitionIsSentOnce() async throws {
        let (screen, renderer) = try await connected()
        try await screen.perform(.load(Samples.film, at: .zero, playing: true))
        renderer.set { $0.transition = 3 }
        try await renderer.clock.running { try await screen.perform(.seek(to: .seconds(60))) }
        #expect(renderer.orders == ["SetAVTransportURI", "Play", "Seek 00:01:00"])
    }

    @Test func droppedSeekIsRetried() async throws {
        let (screen, renderer) = try await connected(.init(forgottenSeeks: 2))
        try await renderer.clock.running {
            try await screen.perform(.load(Samples.film, at: .seconds(42), playing: true))
        }
        #expect(renderer.orders.filter { $0.hasPrefix("Seek") }.count == 3)
        #expect(screen.playback.state == PlaybackState(.playing, item: Samples.film, position: .seconds(42)))
    }

    @Test(arguments: [true, false])
    func droppedSeekReportedForASecondIsRetried(playing: Bool) async throws {
        let (screen, renderer) = try await connected(
            .init(forgottenSeeks: 1, pretence: .milliseconds(1_500)), confirmation: .seconds(2))
        try await renderer.clock.running {
            try await screen.perform(.load(Samples.film, at: .seconds(42), playing: playing))
        }
        #expect(renderer.orders.filter { $0.hasPrefix("Seek") }.count == 2)
        #expect(screen.playback.state.position >= .seconds(42))
    }

    @Test func motionlessPositionIsAcceptedAfterTheWait() async throws {
        let (screen, renderer) = try await connected(
            .init(forgottenSeeks: 1, pretence: .seconds(60)), confirmation: .seconds(2))
        try await renderer.clock.running {
            try await screen.perform(.load(Samples.film, at: .seconds(42), playing: true))
        }
        #expect(renderer.orders.filter { $0.hasPrefix("Seek") }.count == 1)
        #expect(renderer.clock.now.offset >= .seconds(2))
    }

    @Test func stepsOfALoadAreNotReported() async throws {
        let (screen, renderer) = try await connected(.init(forgottenSeeks: 1, transitions: 2))
        let (reported, tell) = AsyncStream.makeStream(of: PlaybackState.self)
        let states = screen.states()
        let reader = Task { for await state in states { tell.yield(state) } }
        try await renderer.clock.running {
            try await screen.perform(.load(Samples.film, at: .seconds(42), playing: false))
        }
        await screen.disconnect()
        await reader.value
        tell.finish()
        // A slow reader may miss the first states.
        for await state in reported where state != .idle {
            #expect([.loading, .paused].contains(state.phase))
            #expect(state.position == .seconds(42))
        }
    }

    @Test func alwaysDroppedSeekTimesOut() async throws {
        let (screen, renderer) = try await connected(.init(forgottenSeeks: .max))
        let error = await #expect(throws: PlaybackError.self) {
            try await renderer.clock.running {
                try await screen.perform(.load(Samples.film, at: .seconds(42), playing: true))
            }
        }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("did not seek to 00:00:42 within 15.0 seconds") == true)
        // It plays, from another position.
        #expect(screen.playback.state.phase == .playing)
    }

    @Test func aKeyFrameBeforeThePositionIsNearEnough() async throws {
        let (screen, renderer) = try await connected(.init(keyFrames: .seconds(10)))
        try await screen.perform(.load(Samples.film, at: .seconds(49), playing: true))
        #expect(renderer.orders == ["SetAVTransportURI", "Play", "Seek 00:00:49"])
        #expect(screen.playback.state.position == .seconds(40))
    }

    @Test func seekIsTrustedIfThePositionIsHidden() async throws {
        let (screen, renderer) = try await connected(.init(hidesPosition: true))
        try await screen.perform(.load(Samples.film, at: .seconds(49), playing: true))
        #expect(renderer.orders == ["SetAVTransportURI", "Play", "Seek 00:00:49"])
        #expect(screen.playback.state == PlaybackState(.playing, item: Samples.film, position: .seconds(49)))
    }

    @Test func rendererThatNeverPlaysTimesOut() async throws {
        let (screen, renderer) = try await connected(.init(transitions: .max))
        let error = await #expect(throws: PlaybackError.self) {
            try await renderer.clock.running {
                try await screen.perform(.load(Samples.film, at: .zero, playing: true))
            }
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [(714, PlaybackError.Code.unplayable), (716, .unplayable), (705, .refused)])
    func refusedItemIsATypedErrorAndLeavesTheScreenIdle(code: Int, expected: PlaybackError.Code) async throws {
        let (screen, renderer) = try await connected()
        renderer.set { $0.faults["SetAVTransportURI"] = code }
        let error = await #expect(throws: PlaybackError.self) {
            try await screen.perform(.load(Samples.film, at: .zero, playing: true))
        }
        #expect(error?.code == expected)
        #expect(screen.playback.state == .idle)
    }

    @Test func anErrorOfTheDeviceIsUnplayable() async throws {
        let (screen, renderer) = try await connected()
        renderer.set { $0.status = "ERROR_OCCURRED" }
        let error = await #expect(throws: PlaybackError.self) {
            try await screen.perform(.load(Samples.film, at: .zero, playing: true))
        }
        #expect(error?.code == .unplayable)
    }

    @Test func concurrentCommandsRunInOrder() async throws {
        let (screen, renderer) = try await connected(.init(transitions: 2))
        let crowd = CallersOnOneActor()
        try await renderer.clock.running {
            let load = Task {
                await crowd.call { try? await screen.perform(.load(Samples.film, at: .seconds(10), playing: true)) }
            }
            await crowd.inside(1)
            let pause = Task { await crowd.call { try? await screen.perform(.pause) } }
            await crowd.inside(2)
            let seek = Task { await crowd.call { try? await screen.perform(.seek(to: .seconds(50))) } }
            await crowd.inside(3)
            for task in [load, pause, seek] { await task.value }
        }
        #expect(renderer.orders == ["SetAVTransportURI", "Play", "Seek 00:00:10", "Pause", "Seek 00:00:50"])
    }

    @Test func cancelledCommandEndsAtOnceInEachWait() async throws {
        // Cancels in the request, between two readings, and in the queue.
        let (screen, renderer) = try await connected(.init(transitions: .max))
        let waiting = Task { try await screen.perform(.load(Samples.film, at: .zero, playing: true)) }
        await renderer.clock.untilSleeping(2)
        let queued = Task { try await screen.perform(.pause) }
        queued.cancel()
        await #expect(throws: PlaybackError(.cancelled, PlaybackError.left.message)) { try await queued.value }
        waiting.cancel()
        await #expect(throws: PlaybackError(.cancelled, PlaybackError.left.message)) { try await waiting.value }
        renderer.set { $0.presence = .hanging }
        // It may play even so.
        #expect(screen.playback.state.item == Samples.film)
        let asking = Task { try await screen.perform(.stop) }
        await renderer.hanging.arrivals()
        asking.cancel()
        await #expect(throws: PlaybackError(.cancelled, PlaybackError.left.message)) { try await asking.value }
    }
}

extension TestClock {
    /// Advances the clock for each sleeper, until `body` returns.
    func running<Value>(_ body: () async throws -> Value) async throws -> Value {
        let time = Task {
            while !Task.isCancelled {
                if let next = nextDeadline { advance(to: next) }
                await Task.yield()
            }
        }
        defer { time.cancel() }
        return try await body()
    }
}
