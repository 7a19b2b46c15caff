public import WharfCore

/// The limits of a channel on lengths and rate, and its treatment of longer texts.
public struct ChannelLimits: Sendable {
    /// The treatment of a body that is too long.
    ///
    /// A title that is too long is truncated, except with `refuse`.
    public enum Overflow: Hashable, Sendable {
        /// The body is split into at most this many parts, which begin with "(1/3) ".
        ///
        /// It is split after a space if one is in the second half of a part, and never inside a
        /// grapheme cluster. A body that needs more parts is refused.
        case split(atMost: Int)
        /// The body is cut off, and ends in "..." if there is room.
        case truncate
        /// The message becomes a dead letter of this channel, and the next channel gets it.
        case refuse
    }

    /// The limit of the title; nil for none.
    ///
    /// Use ``TextLimit/none`` for a channel without titles. The title then becomes the first line
    /// of the body.
    public var title: TextLimit?
    /// The limit of the body; nil for none.
    public var body: TextLimit?
    /// The treatment of a body that is too long.
    public var overflow: Overflow
    /// The limit of parts per time; nil for none.
    public var rate: RateLimit?

    /// Creates limits.
    ///
    /// By default there are none. A body beyond a limit is split into at most 10 parts.
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

/// The maximum length of a text.
public struct TextLimit: Sendable {
    /// The maximum, in units.
    public var length: Int
    /// The unit of the length.
    public var unit: TextUnit

    /// Creates a limit. A negative length counts as 0.
    public init(_ length: Int, _ unit: TextUnit) {
        self.length = max(0, length)
        self.unit = unit
    }

    /// The limit of a text that a channel does not have, such as the title of an SMS.
    public static let none = TextLimit(0, .scalars)

    func fits(_ text: String) -> Bool { unit.count(text) <= length }
}
