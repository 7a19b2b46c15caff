/// What a player is told.
public enum PlaybackCommand: Hashable, Sendable {
    /// Makes an item ready at a position, counted from its start, and plays it or holds it there.
    case load(MediaItem, at: Duration, playing: Bool)
    case play
    case pause
    /// Goes to a position, counted from the item's start. Whether it plays stays as it is.
    case seek(to: Duration)
    /// Where the one that plays is now, for those that only show it. Who plays by itself leaves it
    /// aside.
    case progress(Duration)
    /// Ends the item and forgets it.
    case stop
}
