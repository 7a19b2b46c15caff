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

    /// Commands wait there before they are taken; nil for none.
    func hold(at gate: Gate?) { content.withLock { $0.gate = gate } }

    /// Commands throw it until it is nil.
    func fail(with error: PlaybackError?) { content.withLock { $0.failure = error } }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        await content.withLock { $0.gate }?.pass()
        if let failure = content.withLock({ $0.failure }) { throw failure }
    }

    func states() -> AsyncStream<PlaybackState> { feed.states() }

    /// Says it, and lets it be heard.
    func say(_ phase: PlaybackState.Phase, _ item: MediaItem? = Stage.film, at position: Duration = .zero) async {
        feed.update(PlaybackState(phase, item: item, position: position))
        await letOthersRun { false }
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
