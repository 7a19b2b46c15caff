/// What a player says of itself.
public struct PlaybackState: Hashable, Sendable {
    public enum Phase: Hashable, Sendable {
        /// It has no item.
        case idle
        /// It has one, and waits for data.
        case loading
        case playing
        case paused
        /// It has played the item to its end.
        case ended
    }

    public var phase: Phase
    /// Nil while it is idle.
    public var item: MediaItem?
    /// Counted from the item's start.
    public var position: Duration

    public init(_ phase: Phase, item: MediaItem? = nil, position: Duration = .zero) {
        self.phase = phase
        self.item = item
        self.position = position
    }

    public static let idle = Self(.idle)
}
