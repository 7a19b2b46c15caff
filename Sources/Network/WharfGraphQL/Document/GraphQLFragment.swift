/// A fragment definition (September 2025 §2.9): `fragment details on Film { title }`.
public struct GraphQLFragment: Sendable, Hashable {
    /// The name; `on` is not allowed.
    public var name: String
    /// The name of the type to which the fragment applies.
    public var typeCondition: String
    /// The directives, in order.
    public var directives: [GraphQLDirective]
    /// The selections; at least one.
    public var selections: [GraphQLSelection]
    /// A description, new in September 2025; older servers refuse it.
    public var description: GraphQLString?

    /// Creates a fragment.
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

/// The use of a fragment by its name: `...details`.
public struct GraphQLFragmentSpread: Sendable, Hashable {
    /// The fragment's name; `on` is not allowed.
    public var name: String
    /// The directives, in order.
    public var directives: [GraphQLDirective]

    /// Creates a spread.
    public init(_ name: String, directives: [GraphQLDirective] = []) {
        self.name = name
        self.directives = directives
    }
}

/// Selections with a type condition or a directive: `... on Film { title }`.
public struct GraphQLInlineFragment: Sendable, Hashable {
    /// The name of the type; nil for the type of the enclosing object.
    public var typeCondition: String?
    /// The directives, in order.
    public var directives: [GraphQLDirective]
    /// The selections; at least one.
    public var selections: [GraphQLSelection]

    /// Creates an inline fragment.
    public init(
        on typeCondition: String? = nil, directives: [GraphQLDirective] = [],
        @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) {
        self.typeCondition = typeCondition
        self.directives = directives
        self.selections = selections()
    }
}
