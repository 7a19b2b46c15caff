/// What plays: the engine of this device, or a second screen.
public protocol Player: Sendable {
    /// Returns when the command is taken: what comes of it is seen in ``states()``. Commands are given one at a time.
    func perform(_ command: PlaybackCommand) async throws(PlaybackError)

    /// What the player says of itself, for any number of readers: the state now, then each change. Who reads slowly misses
    /// states in between and never the last one. It ends when the player has gone for good.
    func states() -> AsyncStream<PlaybackState>
}

/// A player on another device, which has to be reached first.
public protocol Screen: Player {
    /// Says whether two are the same device, whatever its address is today.
    var id: String { get }
    /// What a person calls it.
    var name: String { get }

    /// Returns when commands can be given. A screen that was lost can be connected again.
    ///
    /// - Throws: at once where the calling task is cancelled; `disconnected`, `refused` or `timedOut` where it can't be had.
    func connect() async throws(PlaybackError)

    /// What was connected is let go. It does nothing where nothing is connected.
    func disconnect() async
}
