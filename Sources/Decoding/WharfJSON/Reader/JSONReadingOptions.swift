/// The reader's choices, where RFC 8259 leaves them open.
public struct JSONReadingOptions: Sendable, Hashable {
    /// The meaning of an object that has a key twice, which RFC 8259 §4 leaves open.
    public enum DuplicateKeys: Sendable, Hashable {
        /// The first value counts, as in Foundation's decoder. The others are checked for syntax
        /// and skipped.
        case first
        /// Each repetition is an error, including in elements that a ``LossyArray`` leaves out.
        ///
        /// The document is walked once more, to find repeated keys that no type reads.
        case reject
    }

    /// The maximum nesting of arrays and objects: 512 by default, 1,000 at most.
    ///
    /// Deeper input is an error, and not a crash. Fewer levels are possible if a recursive type
    /// needs more stack than the thread has.
    public var maximumDepth: Int { didSet { maximumDepth = Self.depth(maximumDepth) } }
    /// The treatment of repeated keys; the first value counts by default.
    public var duplicateKeys: DuplicateKeys
    /// Whether the first error ends the reading. Otherwise all errors are collected.
    public var stopsAtFirstError: Bool
    /// The number of errors to collect, at least one; further ones are only counted.
    ///
    /// It bounds the memory for a document full of errors. A breach of the grammar is always
    /// collected.
    public var maximumIssues: Int { didSet { maximumIssues = max(1, maximumIssues) } }

    /// The collector of keys that no type reads.
    package var unreadKeys: UnreadKeys?

    /// The stack that reading may use, in bytes.
    package var stackBudget = StackBudget.standard

    /// Creates options.
    public init(
        maximumDepth: Int = 512, duplicateKeys: DuplicateKeys = .first, stopsAtFirstError: Bool = false,
        maximumIssues: Int = 1000
    ) {
        self.maximumDepth = Self.depth(maximumDepth)
        self.duplicateKeys = duplicateKeys
        self.stopsAtFirstError = stopsAtFirstError
        self.maximumIssues = max(1, maximumIssues)
    }

    /// Options for text that was read before, and so may have any allowed depth.
    static var deepest: JSONReadingOptions { JSONReadingOptions(maximumDepth: .max) }

    static func depth(_ wanted: Int) -> Int { min(max(wanted, 1), 1_000) }
}
