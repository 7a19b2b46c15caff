/// What somebody has agreed to, by name. What they were not asked about they have not agreed to.
public struct Consent: Hashable, Sendable {
    /// What events are for.
    public struct Category: Hashable, Sendable, CustomStringConvertible {
        /// It lies in the outbox: it must not change from one version of an app to the next.
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// How the app is used.
        public static let statistics = Self("statistics")
        public static let marketing = Self("marketing")
    }

    public var categories: Set<Category>

    public init(_ categories: Category...) { self.categories = Set(categories) }

    public static let none = Consent()

    public func allows(_ category: Category) -> Bool { categories.contains(category) }
}
