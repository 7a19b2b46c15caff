/// A query, mutation or subscription (September 2025 §2.4).
public struct GraphQLOperation: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case query, mutation, subscription
    }

    public var kind: Kind
    /// Nil for the only operation of a document.
    public var name: String?
    public var variables: [GraphQLVariable]
    public var directives: [GraphQLDirective]
    public var selections: [GraphQLSelection]
    /// Of the edition of September 2025; older servers refuse it.
    public var description: GraphQLString?

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

    public static func query(
        _ name: String? = nil, variables: [GraphQLVariable] = [], directives: [GraphQLDirective] = [],
        description: GraphQLString? = nil, @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) -> GraphQLOperation {
        GraphQLOperation(
            .query, name, variables: variables, directives: directives, description: description,
            selections: selections)
    }

    public static func mutation(
        _ name: String? = nil, variables: [GraphQLVariable] = [], directives: [GraphQLDirective] = [],
        description: GraphQLString? = nil, @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) -> GraphQLOperation {
        GraphQLOperation(
            .mutation, name, variables: variables, directives: directives, description: description,
            selections: selections)
    }

    public static func subscription(
        _ name: String? = nil, variables: [GraphQLVariable] = [], directives: [GraphQLDirective] = [],
        description: GraphQLString? = nil, @GraphQLSelectionBuilder selections: () -> [GraphQLSelection]
    ) -> GraphQLOperation {
        GraphQLOperation(
            .subscription, name, variables: variables, directives: directives, description: description,
            selections: selections)
    }

    /// Whether the document may say it by its selections alone (September 2025 §2.4, the query
    /// shorthand).
    var isShorthand: Bool {
        kind == .query && name == nil && variables.isEmpty && directives.isEmpty && description == nil
    }
}
