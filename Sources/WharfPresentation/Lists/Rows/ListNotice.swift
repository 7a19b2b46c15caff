/// A row that a decorator has added: it says something of the list and is no part of it.
public struct ListNotice: Hashable, Sendable, Identifiable {
    /// What it is about, as an extensible name. Cells are registered by it.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// There are no rows.
        public static let placeholder = Self("placeholder")
        /// Rows, or newer ones, are on their way.
        public static let loading = Self("loading")
        /// The rows are old, or could not be had.
        public static let stale = Self("stale")
    }

    /// Which of the notices of a list: the same for the same notice with another text.
    public struct ID: Hashable, Sendable {
        public let kind: Kind
        /// Tells those of a kind apart. Of ``NoticedList`` it says which layer of notices it is,
        /// from the innermost, which is 0.
        public let number: Int

        public init(_ kind: Kind, number: Int = 0) {
            self.kind = kind
            self.number = number
        }
    }

    public let id: ID
    /// Ready to be shown: the app has localised it.
    public let text: String

    public init(_ kind: Kind, _ text: String) { self.init(id: ID(kind), text) }

    public init(id: ID, _ text: String) {
        self.id = id
        self.text = text
    }

    public var kind: Kind { id.kind }
}
