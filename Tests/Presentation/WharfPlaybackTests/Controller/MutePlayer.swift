import Synchronization
import WharfChecks
import WharfFakes
import WharfPlayback

/// A player that accepts commands, and reports only the states that the test sends.
final class MutePlayer: Player {
    private struct Content {
        var gate: Gate?
        var failure: PlaybackError?
    }

    let feed = StateFeed(PlaybackState.idle)
    private let content = Mutex(Content())
    /// The state that its reader has taken, and whether the reader has asked for the next one. By
    /// then the reader has handled the state.
    private let received = Mutex<(state: PlaybackState?, isDone: Bool)>((nil, false))

    /// Makes commands wait at the gate, or ends that if it is nil.
    func hold(at gate: Gate?) { content.withLock { $0.gate = gate } }

    /// Makes commands throw the error, until it is nil.
    func fail(with error: PlaybackError?) { content.withLock { $0.failure = error } }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        await content.withLock { $0.gate }?.pass()
        if let failure = content.withLock({ $0.failure }) { throw failure }
    }

    func states() -> AsyncStream<PlaybackState> {
        let states = Reading(feed.states())
        return AsyncStream { [self] in
            received.withLock { $0.isDone = true }
            let state = await states.next()
            received.withLock { $0 = (state, false) }
            return state
        }
    }

    /// `@unchecked Sendable`: an `AsyncStream` asks for one element at a time.
    private final class Reading: @unchecked Sendable {
        private var iterator: AsyncStream<PlaybackState>.Iterator
        init(_ states: AsyncStream<PlaybackState>) { iterator = states.makeAsyncIterator() }
        func next() async -> PlaybackState? { await iterator.next() }
    }

    /// Sends a state, and returns once the reader has handled it.
    func say(_ phase: PlaybackState.Phase, _ item: MediaItem? = Stage.film, at position: Duration = .zero) async {
        feed.update(PlaybackState(phase, item: item, position: position))
        await hasBeenHeard()
    }

    /// Returns once the reader has taken the feed's latest state and asked for the next one.
    func hasBeenHeard() async {
        await waitUntil { received.withLock { $0.isDone && $0.state == feed.state } }
    }
}

/// A screen that is connected until its player's feed is finished.
struct MuteScreen: Screen {
    let id = "mute"
    let name = "Mute"
    let player = MutePlayer()

    func connect() async throws(PlaybackError) {}
    func disconnect() async {}
    func perform(_ command: PlaybackCommand) async throws(PlaybackError) { try await player.perform(command) }
    func states() -> AsyncStream<PlaybackState> { player.states() }
}
