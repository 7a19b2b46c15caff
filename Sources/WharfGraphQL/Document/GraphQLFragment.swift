/// The definition of a fragment (September 2025 §2.9): `fragment details on Film { title }`.
public struct GraphQLFragment: Sendable, Hashable {
    /// Any but `on`.
    public var name: String
    /// The name of the type.
    public var typeCondition: String
    public var directives: [GraphQLDirective]
    public var selections: [GraphQLSelection]
    /// Of the edition of September 2025; older servers refuse it.
    public var description: GraphQLString?

    public init(
        _ name: String, on typeCondition: String, directives: [GraphQLDirective] = [],
        description: GraphQLString? = nil, @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) {
        self.name = name
        self.typeCondition = typeCondition
        self.directives = directives
        self.selections = selections()
        self.description = description
    }
}

/// A fragment's name where its selections go: `...details`.
public struct GraphQLFragmentSpread: Sendable, Hashable {
    /// Any but `on`.
    public var name: String
    public var directives: [GraphQLDirective]

    public init(_ name: String, directives: [GraphQLDirective] = []) {
        self.name = name
        self.directives = directives
    }
}

/// Selections for objects of one type, or under a directive: `... on Film { title }`.
public struct GraphQLInlineFragment: Sendable, Hashable {
    /// The name of the type; nil for that of the objects around.
    public var typeCondition: String?
    public var directives: [GraphQLDirective]
    public var selections: [GraphQLSelection]

    public init(
        on typeCondition: String? = nil, directives: [GraphQLDirective] = [],
        @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) {
        self.typeCondition = typeCondition
        self.directives = directives
        self.selections = selections()
    }
}
