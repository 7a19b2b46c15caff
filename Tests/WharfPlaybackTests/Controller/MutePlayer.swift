import WharfPlayback

/// Takes every command, and says only what the test lets it say.
struct MutePlayer: Player {
    let feed = StateFeed(PlaybackState.idle)

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {}

    func states() -> AsyncStream<PlaybackState> { feed.states() }
}
