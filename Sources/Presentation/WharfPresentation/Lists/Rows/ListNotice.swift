/// A row that a decorator has added, such as a placeholder or a banner.
public struct ListNotice: Hashable, Sendable, Identifiable {
    /// The topic of a notice, as an extensible name. Cells are registered by it.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The name, unique among kinds.
        public let name: String
        /// Creates a kind, such as for a decorator of your own.
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// The list has no rows.
        public static let placeholder = Self("placeholder")
        /// Rows, or newer rows, are being loaded.
        public static let loading = Self("loading")
        /// The rows are stale, or could not be loaded.
        public static let stale = Self("stale")
    }

    /// The identity of a notice in its list. It does not depend on the text.
    public struct ID: Hashable, Sendable {
        /// The topic of the notice.
        public let kind: Kind
        /// Distinguishes notices of one kind. ``NoticedList`` sets it to the index of its layer,
        /// and the innermost layer has 0.
        public let number: Int

        /// Creates the identity of a notice.
        public init(_ kind: Kind, number: Int = 0) {
            self.kind = kind
            self.number = number
        }
    }

    /// The identity, which stays when the text changes.
    public let id: ID
    /// The text to show, localised by the app.
    public let text: String

    /// Creates the notice with number 0 of a kind.
    public init(_ kind: Kind, _ text: String) { self.init(id: ID(kind), text) }

    /// Creates a notice with an identity.
    public init(id: ID, _ text: String) {
        self.id = id
        self.text = text
    }

    /// The topic, from the id.
    public var kind: Kind { id.kind }
}
