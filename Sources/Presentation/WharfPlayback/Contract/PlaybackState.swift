/// The state that a player reports.
public struct PlaybackState: Hashable, Sendable {
    /// The phase of playback.
    public enum Phase: Hashable, Sendable {
        /// The player has no item.
        case idle
        /// The player has an item, and waits for data.
        case loading
        /// The player plays the item.
        case playing
        /// The player holds the item at its position.
        case paused
        /// The player has played the item to its end.
        case ended
    }

    /// The phase of playback.
    public var phase: Phase
    /// The item; nil while the player is idle.
    public var item: MediaItem?
    /// The position, counted from the item's start.
    public var position: Duration

    /// Creates a state.
    public init(_ phase: Phase, item: MediaItem? = nil, position: Duration = .zero) {
        self.phase = phase
        self.item = item
        self.position = position
    }

    /// The state of a player without an item.
    public static let idle = Self(.idle)
}
