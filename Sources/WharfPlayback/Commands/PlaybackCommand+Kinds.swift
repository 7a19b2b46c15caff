extension PlaybackCommand {
    /// Which commands a screen that follows is told: `[.play, .stop]`.
    public struct Kinds: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let play = Self(rawValue: 1 << 0)
        public static let pause = Self(rawValue: 1 << 1)
        public static let seek = Self(rawValue: 1 << 2)
        public static let progress = Self(rawValue: 1 << 3)
        public static let stop = Self(rawValue: 1 << 4)
        public static let all: Self = [.play, .pause, .seek, .progress, .stop]
    }

    /// What is left of it for who is told these kinds; nil for nothing. An item is told to
    /// everybody, for nothing else makes sense without it, and plays only where `play` is told.
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
