/// A command to a player.
public enum PlaybackCommand: Hashable, Sendable {
    /// Loads an item at a position from its start, and plays or pauses it there.
    case load(MediaItem, at: Duration, playing: Bool)
    /// Plays the item. An ended item is played from its start.
    case play
    /// Pauses the item. An ended item stays at its end.
    case pause
    /// Goes to a position from the item's start, and keeps playing or keeps paused.
    case seek(to: Duration)
    /// Tells the current position to a screen that only shows it.
    ///
    /// A player that plays the item itself ignores it.
    case progress(Duration)
    /// Ends playback and removes the item.
    case stop
}
