/// The categories that a person has agreed to. No answer is no consent.
public struct Consent: Hashable, Sendable {
    /// A purpose of events.
    public struct Category: Hashable, Sendable, CustomStringConvertible {
        /// The category's name in the outbox.
        ///
        /// It must not change from one version of an app to the next.
        public let name: String
        /// Creates a category of your own.
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// The use of the app.
        public static let statistics = Self("statistics")
        /// Advertising and campaigns.
        public static let marketing = Self("marketing")
    }

    /// The categories that were agreed to.
    public var categories: Set<Category>

    /// Creates a consent to some categories.
    public init(_ categories: Category...) { self.categories = Set(categories) }

    /// A consent to no category.
    public static let none = Consent()

    /// Whether a category was agreed to.
    public func allows(_ category: Category) -> Bool { categories.contains(category) }
}
