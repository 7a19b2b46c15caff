import Synchronization
import WharfChecks
import WharfFakes
import WharfPlayback

/// Takes commands, and says only what the test lets it say.
final class MutePlayer: Player {
    private struct Content {
        var gate: Gate?
        var failure: PlaybackError?
    }

    let feed = StateFeed(PlaybackState.idle)
    private let content = Mutex(Content())
    /// What its reader has taken, and whether it has asked for more since: then it has done what
    /// comes of it.
    private let heard = Mutex<(state: PlaybackState?, isDone: Bool)>((nil, false))

    /// Commands wait there before they are taken; nil for none.
    func hold(at gate: Gate?) { content.withLock { $0.gate = gate } }

    /// Commands throw it until it is nil.
    func fail(with error: PlaybackError?) { content.withLock { $0.failure = error } }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        await content.withLock { $0.gate }?.pass()
        if let failure = content.withLock({ $0.failure }) { throw failure }
    }

    func states() -> AsyncStream<PlaybackState> {
        let states = Reading(feed.states())
        return AsyncStream { [self] in
            heard.withLock { $0.isDone = true }
            let state = await states.next()
            heard.withLock { $0 = (state, false) }
            return state
        }
    }

    /// `@unchecked Sendable`: an `AsyncStream` asks for one element at a time.
    private final class Reading: @unchecked Sendable {
        private var iterator: AsyncStream<PlaybackState>.Iterator
        init(_ states: AsyncStream<PlaybackState>) { iterator = states.makeAsyncIterator() }
        func next() async -> PlaybackState? { await iterator.next() }
    }

    /// Says it, and returns once it was heard: it waits for a reader.
    func say(_ phase: PlaybackState.Phase, _ item: MediaItem? = Stage.film, at position: Duration = .zero) async {
        feed.update(PlaybackState(phase, item: item, position: position))
        await hasBeenHeard()
    }

    /// Returns once the reader has taken the feed's latest state and asked for the next one.
    func hasBeenHeard() async {
        await waitUntil { heard.withLock { $0.isDone && $0.state == feed.state } }
    }
}

/// Is there until its player's feed is finished.
struct MuteScreen: Screen {
    let id = "mute"
    let name = "Mute"
    let player = MutePlayer()

    func connect() async throws(PlaybackError) {}
    func disconnect() async {}
    func perform(_ command: PlaybackCommand) async throws(PlaybackError) { try await player.perform(command) }
    func states() -> AsyncStream<PlaybackState> { player.states() }
}
