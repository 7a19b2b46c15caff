public import WharfCore

/// What a channel takes, and what becomes of a message that is more.
public struct ChannelLimits: Sendable {
    /// What becomes of a body that is too long. A title is cut off, unless it is refused.
    public enum Overflow: Hashable, Sendable {
        /// Into parts that begin with "(1/3) ", between words where that wastes little, and never
        /// inside a character that people see as one. What would take more parts is refused.
        case split(atMost: Int)
        /// With "..." in the place of the rest.
        case truncate
        /// The message becomes a dead letter, and it is the turn of the next channel.
        case refuse
    }

    /// nil for no limit. ``TextLimit/none`` for a channel without titles: the title becomes the
    /// first line of the body.
    public var title: TextLimit?
    /// nil for no limit.
    public var body: TextLimit?
    public var overflow: Overflow
    /// nil for no limit. Each part counts.
    public var rate: RateLimit?

    public init(
        title: TextLimit? = nil, body: TextLimit? = nil, overflow: Overflow = .split(atMost: 10),
        rate: RateLimit? = nil
    ) {
        self.title = title
        self.body = body
        self.overflow = overflow
        self.rate = rate
    }
}

/// How long a text may be.
public struct TextLimit: Sendable {
    public var length: Int
    public var unit: TextUnit

    public init(_ length: Int, _ unit: TextUnit) {
        self.length = max(0, length)
        self.unit = unit
    }

    public static let none = TextLimit(0, .scalars)

    func fits(_ text: String) -> Bool { unit.count(text) <= length }
}
