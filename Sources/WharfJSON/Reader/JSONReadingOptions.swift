/// What a reader does where RFC 8259 leaves the choice to it.
public struct JSONReadingOptions: Sendable, Hashable {
    /// What an object means that has the same key twice (RFC 8259 §4 leaves it open).
    public enum DuplicateKeys: Sendable, Hashable {
        /// The first value counts, as it does for Foundation's decoder; the others are checked for
        /// syntax and passed over.
        case first
        /// Each repetition is an error, also within an element that a ``LossyArray`` leaves out.
        /// The document is walked once more to find those among the keys that nobody asked for.
        case reject
    }

    /// How deep arrays and objects may nest; deeper input is an error, and not a crash. At most
    /// 1,000, and less where a recursive type takes so much of the stack that a thread has no room
    /// for it.
    public var maximumDepth: Int { didSet { maximumDepth = Self.depth(maximumDepth) } }
    public var duplicateKeys: DuplicateKeys
    /// True: the first error ends the reading. False: all of them are collected.
    public var stopsAtFirstError: Bool
    /// How many errors are collected, at least one; the rest is counted. A document that is wrong
    /// throughout takes no more memory than this. A breach of the grammar is always among them.
    public var maximumIssues: Int { didSet { maximumIssues = max(1, maximumIssues) } }

    /// Where keys go that nobody asked for.
    package var unreadKeys: UnreadKeys?

    /// In bytes.
    package var stackBudget = StackBudget.standard

    public init(
        maximumDepth: Int = 512, duplicateKeys: DuplicateKeys = .first, stopsAtFirstError: Bool = false,
        maximumIssues: Int = 1000
    ) {
        self.maximumDepth = Self.depth(maximumDepth)
        self.duplicateKeys = duplicateKeys
        self.stopsAtFirstError = stopsAtFirstError
        self.maximumIssues = max(1, maximumIssues)
    }

    /// For what has been read before, as deep as that was allowed to be.
    static var deepest: JSONReadingOptions { JSONReadingOptions(maximumDepth: .max) }

    static func depth(_ wanted: Int) -> Int { min(max(wanted, 1), 1_000) }
}
