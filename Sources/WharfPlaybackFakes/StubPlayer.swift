internal import Synchronization
public import WharfFakes
public import WharfPlayback

/// A player without sound or picture: it does at once what it is told, and remembers it.
///
/// ```swift
/// let engine = StubPlayer()
/// let playback = Playback(engine: engine)
/// try await playback.perform(.load(film, at: .zero, playing: true))
/// #expect(engine.state.phase == .playing)
/// ```
///
/// Its position stands still until the test moves it by ``report(_:)``.
public final class StubPlayer: Player {
    private struct Content {
        var state: PlaybackState
        var taken: [PlaybackCommand] = []
        var gate: Gate?
        var failure: PlaybackError?
        var feeds: [StateFeed<PlaybackState>] = []

        func tell() { for feed in feeds { feed.update(state) } }
    }

    private let content: Mutex<Content>
    private let feed: StateFeed<PlaybackState>

    public init(_ state: PlaybackState = .idle) {
        feed = StateFeed(state)
        content = Mutex(Content(state: state, feeds: [feed]))
    }

    public var state: PlaybackState { content.withLock { $0.state } }

    /// What it did, in order.
    public var taken: [PlaybackCommand] { content.withLock { $0.taken } }

    /// Commands wait there before they are done; nil for none.
    public func hold(at gate: Gate?) { content.withLock { $0.gate = gate } }

    /// Commands throw it until it is nil.
    public func fail(with error: PlaybackError?) { content.withLock { $0.failure = error } }

    /// Says that it is in a state, as when somebody took its remote control.
    public func report(_ state: PlaybackState) {
        content.withLock { content in
            content.state = state
            content.tell()
        }
    }

    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        guard !Task.isCancelled else { throw .cancelledByCaller }
        await content.withLock { $0.gate }?.pass()
        guard !Task.isCancelled else { throw .cancelledByCaller }
        try content.withLock { content throws(PlaybackError) in
            if let failure = content.failure { throw failure }
            try content.state.apply(command)
            content.taken.append(command)
            content.tell()
        }
    }

    public func states() -> AsyncStream<PlaybackState> { feed.states() }

    /// It has gone for good.
    public func end() { feed.finish() }

    /// Who else is told its states.
    func attach() -> StateFeed<PlaybackState> {
        content.withLock { content in
            let feed = StateFeed(content.state)
            content.feeds.append(feed)
            return feed
        }
    }

    func detach(_ feed: StateFeed<PlaybackState>) {
        content.withLock { content in content.feeds.removeAll { $0 === feed } }
        feed.finish()
    }
}

extension PlaybackError {
    static let cancelledByCaller = PlaybackError(.cancelled, "the calling task was cancelled")
}
