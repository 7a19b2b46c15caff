/// A device that plays media: the engine of this device, or a second screen.
///
/// Laws (`PlayerLaws` of `WharfPlaybackLaws`):
/// - The reported item equals the item that was loaded.
/// - Commands take effect in the order of the calls. A seek keeps the player playing or paused.
/// - After `stop` the player is idle. Without an item `play`, `pause` and `seek` throw `refused`,
///   and `stop` and `progress` do nothing.
/// - A change that the player makes itself, or that is made at the device, is reported like the
///   effect of a command.
/// - A command whose task is cancelled throws `cancelled` at once.
public protocol Player: Sendable {
    /// Sends a command, and returns when the player has accepted it.
    ///
    /// Its effect appears in ``states()`` within three seconds, if only as `loading`. ``Playback``
    /// then believes the newest reported state, even if it contradicts the command. If the player
    /// has reported nothing, ``Playback`` assumes that the command took effect. Callers send one
    /// command at a time.
    func perform(_ command: PlaybackCommand) async throws(PlaybackError)

    /// Returns the current state, then each change, for any number of readers.
    ///
    /// A slow reader skips states, but always gets the last one. The stream ends when the player is
    /// gone for good. ``StateFeed`` implements all of this.
    func states() -> AsyncStream<PlaybackState>
}

/// A player on another device, which has to be connected first.
///
/// Laws (`ScreenLaws` of `WharfPlaybackLaws`), together with those of ``Player`` during a
/// connection:
/// - ``Player/states()`` ends when the connection is lost or closed, and at once if there is none.
///   After a new connection, call it again.
/// - A command throws `disconnected` without a connection, and if the connection is lost meanwhile.
/// - Connecting twice equals connecting once. Neither `connect` nor `disconnect` changes the
///   playback of the device.
public protocol Screen: Player {
    /// The identity of the device. It stays the same when the address changes.
    var id: String { get }
    /// The name for users. The id and the name are read often, under a lock.
    var name: String { get }

    /// The reason why the last connection was lost, if known.
    ///
    /// It is nil during a connection, and after ``disconnect()``.
    var loss: PlaybackError? { get }

    /// Connects, and returns when commands can be sent. A lost screen can be connected again.
    ///
    /// - Throws: `cancelled` at once if the calling task is cancelled; `disconnected`, `refused` or
    ///   `timedOut` if no connection can be made.
    func connect() async throws(PlaybackError)

    /// Closes the connection. Without a connection it does nothing.
    func disconnect() async
}

extension Screen {
    public var loss: PlaybackError? { nil }
}
