import Synchronization
import Testing
import WharfChecks
import WharfFakes
import WharfPlaybackFakes

@testable import WharfPlayback

/// An engine, screens and a clock for the tests.
struct Stage {
    let clock = TestClock()
    let engine = StubPlayer()
    let lounge = StubScreen("lounge", name: "Lounge")
    let kitchen = StubScreen("kitchen", name: "Kitchen")
    let playback: Playback

    init() { playback = Playback(engine: engine, timeout: .seconds(10), clock: clock) }

    static let film = MediaItem(
        id: "film", url: "http://192.0.2.1/film.mp4", contentType: "video/mp4", title: "Film", duration: .seconds(3600))
    static let other = MediaItem(
        id: "other", url: "http://192.0.2.1/other.mp4", contentType: "video/mp4", duration: .seconds(60))

    func play(_ item: MediaItem = film, at position: Duration = .zero) async throws {
        try await playback.perform(.load(item, at: position, playing: true))
    }

    /// The first state that satisfies the predicate.
    @discardableResult
    func state(where isSo: (SessionState) -> Bool) async -> SessionState {
        for await state in playback.states() where isSo(state) { return state }
        return playback.state
    }

    /// Waits until the devices have reported on the last command. If the clock moved earlier, the
    /// report would have another position.
    func received() async {
        await waitUntil { playback.isSettled && clock.sleepers == 0 }
    }

    func returned() async -> SessionState.Return? { await state { $0.returned != nil }.returned }
}

extension Playback {
    /// Whether no device may still report a state from before a command.
    fileprivate var isSettled: Bool {
        running.withLock { $0.machine.devices.values.allSatisfy { $0.settlesBy == nil } }
    }

    /// Waits until the settling time is measured, and advances the clock past it.
    func endSettling(_ clock: TestClock) async {
        let end = clock.now.advanced(by: .seconds(3))
        await waitUntil { clock.nextDeadline == end }
        clock.advance(to: end)
        await waitUntil { isSettled }
    }
}

extension StubPlayer {
    func shows(_ phase: PlaybackState.Phase, _ item: MediaItem? = Stage.film, at position: Duration? = nil) -> Bool {
        state.phase == phase && state.item == item && (position == nil || state.position == position)
    }
}

/// The code of the error that `body` throws, or nil if it throws none.
func code(of body: () async throws -> Void) async -> PlaybackError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? PlaybackError)?.code ?? .init("\(error)")
    }
}
