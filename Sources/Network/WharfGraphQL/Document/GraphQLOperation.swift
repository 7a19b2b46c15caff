/// A query, mutation or subscription (GraphQL September 2025 §2.4).
public struct GraphQLOperation: Sendable, Hashable {
    /// The kind of an operation; its raw value is the keyword.
    public enum Kind: String, Sendable, CaseIterable {
        case query, mutation, subscription
    }

    /// Query, mutation or subscription.
    public var kind: Kind
    /// The name; nil is allowed for the only operation of a document.
    public var name: String?
    /// The definitions of its variables.
    public var variables: [GraphQLVariable]
    /// The directives, in order.
    public var directives: [GraphQLDirective]
    /// The selections; at least one.
    public var selections: [GraphQLSelection]
    /// A description, new in September 2025; older servers refuse it.
    public var description: GraphQLString?

    /// Creates an operation.
    public init(
        _ kind: Kind, _ name: String? = nil, variables: [GraphQLVariable] = [], directives: [GraphQLDirective] = [],
        description: GraphQLString? = nil, @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) {
        self.kind = kind
        self.name = name
        self.variables = variables
        self.directives = directives
        self.selections = selections()
        self.description = description
    }

    /// Returns a query.
    public static func query(
        _ name: String? = nil, variables: [GraphQLVariable] = [], directives: [GraphQLDirective] = [],
        description: GraphQLString? = nil, @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) -> GraphQLOperation {
        GraphQLOperation(
            .query, name, variables: variables, directives: directives, description: description,
            selections: selections)
    }

    /// Returns a mutation.
    public static func mutation(
        _ name: String? = nil, variables: [GraphQLVariable] = [], directives: [GraphQLDirective] = [],
        description: GraphQLString? = nil, @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) -> GraphQLOperation {
        GraphQLOperation(
            .mutation, name, variables: variables, directives: directives, description: description,
            selections: selections)
    }

    /// Returns a subscription.
    public static func subscription(
        _ name: String? = nil, variables: [GraphQLVariable] = [], directives: [GraphQLDirective] = [],
        description: GraphQLString? = nil, @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) -> GraphQLOperation {
        GraphQLOperation(
            .subscription, name, variables: variables, directives: directives, description: description,
            selections: selections)
    }

    /// Whether the operation can be printed as its selections alone (September 2025 §2.4, the query
    /// shorthand).
    var isShorthand: Bool {
        kind == .query && name == nil && variables.isEmpty && directives.isEmpty && description == nil
    }
}
