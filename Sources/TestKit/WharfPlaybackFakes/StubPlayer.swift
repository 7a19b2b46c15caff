internal import Synchronization
public import WharfFakes
public import WharfPlayback

/// A player for tests, which carries out commands at once and records them.
///
/// ```swift
/// let engine = StubPlayer()
/// let playback = Playback(engine: engine)
/// try await playback.perform(.load(film, at: .zero, playing: true))
/// #expect(engine.state.phase == .playing)
/// ```
///
/// Its position does not advance: the test sets it by ``report(_:)``.
public final class StubPlayer: Player {
    private struct Content {
        var state: PlaybackState
        var taken: [PlaybackCommand] = []
        var gate: Gate?
        var failure: PlaybackError?
        var feeds: [StateFeed<PlaybackState>] = []

        func tell() { for feed in feeds { feed.update(state) } }
    }

    // All feeds have the state of `content`: each change updates them under the lock. Outside of it
    // two changes could reach a feed in the wrong order.
    private let content: Mutex<Content>
    private let feed: StateFeed<PlaybackState>

    /// Creates a player in a state.
    public init(_ state: PlaybackState = .idle) {
        feed = StateFeed(state)
        content = Mutex(Content(state: state, feeds: [feed]))
    }

    /// The current state.
    public var state: PlaybackState { content.withLock { $0.state } }

    /// The commands that it has carried out, in order.
    public var taken: [PlaybackCommand] { content.withLock { $0.taken } }

    /// Makes commands wait at a gate before they are carried out; nil for no gate.
    public func hold(at gate: Gate?) { content.withLock { $0.gate = gate } }

    /// Makes commands throw this error; nil ends that.
    public func fail(with error: PlaybackError?) { content.withLock { $0.failure = error } }

    /// Reports a state, as after a use of the device's remote control.
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

    /// Ends the states, as when the player is gone for good.
    public func end() { feed.finish() }

    /// Returns another feed of the states, for a connected screen.
    func attach() -> StateFeed<PlaybackState> {
        content.withLock { content in
            // State and registration under one lock: a change in between would never reach the new
            // feed.
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
