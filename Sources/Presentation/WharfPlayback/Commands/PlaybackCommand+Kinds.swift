extension PlaybackCommand {
    /// The kinds of commands that a following screen gets, such as `[.play, .stop]`.
    public struct Kinds: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: Int
        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Commands to play, including playing a new item at once.
        public static let play = Self(rawValue: 1 << 0)
        /// Commands to pause.
        public static let pause = Self(rawValue: 1 << 1)
        /// Commands to seek.
        public static let seek = Self(rawValue: 1 << 2)
        /// Reports of the position.
        public static let progress = Self(rawValue: 1 << 3)
        /// Commands to stop.
        public static let stop = Self(rawValue: 1 << 4)
        /// All kinds of commands.
        public static let all: Self = [.play, .pause, .seek, .progress, .stop]
    }

    /// Returns the part of the command that has these kinds; nil for none.
    ///
    /// Every screen gets a `load`, because the other commands need an item. Without the kind `play`
    /// the item is loaded paused.
    func filtered(by kinds: Kinds) -> PlaybackCommand? {
        switch self {
        case .load(let item, let position, let isPlaying):
            .load(item, at: position, playing: isPlaying && kinds.contains(.play))
        case .play: kinds.contains(.play) ? self : nil
        case .pause: kinds.contains(.pause) ? self : nil
        case .seek: kinds.contains(.seek) ? self : nil
        case .progress: kinds.contains(.progress) ? self : nil
        case .stop: kinds.contains(.stop) ? self : nil
        }
    }
}
