/// What plays: the engine of this device, or a second screen.
///
/// `PlayerLaws` of `WharfPlaybackLaws` checks what a conformer keeps:
/// - The item it reports is the one that was loaded, as it was given.
/// - Commands take effect in the order in which they were given. A seek keeps it playing, or
///   paused.
/// - After `stop` it is idle. Without an item `play`, `pause` and `seek` throw `refused`; `stop`
///   and `progress` do nothing.
/// - What it does by itself, or what is done to it elsewhere, is told like what comes of a command.
/// - A command whose task is cancelled throws `cancelled` at once.
public protocol Player: Sendable {
    /// Returns when the command is taken: what comes of it is seen in ``states()``, within three
    /// seconds, be it that the item is `loading`. What is told by then, fitting or not,
    /// ``Playback`` takes for what is so; of who tells nothing, what it was told to do. Commands
    /// are given one at a time.
    func perform(_ command: PlaybackCommand) async throws(PlaybackError)

    /// What the player says of itself, for any number of readers: the state now, then each change.
    /// Who reads slowly misses states in between and never the last one. It ends when the player
    /// has gone for good; ``StateFeed`` does all this.
    func states() -> AsyncStream<PlaybackState>
}

/// A player on another device, which has to be reached first.
///
/// `ScreenLaws` of `WharfPlaybackLaws` checks these, and those of a ``Player`` while it is
/// connected:
/// - ``Player/states()`` ends when the connection is lost or let go of, and at once where there is
///   none. Who connects again asks anew.
/// - Without a connection, and when it is lost meanwhile, a command throws `disconnected`.
/// - Connecting twice is like once. What the device played goes on: neither `connect` nor
///   `disconnect` changes it.
public protocol Screen: Player {
    /// Says whether two are the same device, whatever its address is today.
    var id: String { get }
    /// What a person calls it. Both are read often, under a lock.
    var name: String { get }

    /// Why the last connection was lost, where it can tell; nil while there is one, and when it was
    /// let go of.
    var loss: PlaybackError? { get }

    /// Returns when commands can be given. A screen that was lost can be connected again.
    ///
    /// - Throws: `cancelled` at once where the calling task is cancelled; `disconnected`, `refused`
    ///   or `timedOut` where it can't be had.
    func connect() async throws(PlaybackError)

    /// What was connected is let go. It does nothing where nothing is connected.
    func disconnect() async
}

extension Screen {
    public var loss: PlaybackError? { nil }
}
