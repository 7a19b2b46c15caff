/// A field with its selections: `smallPicture: picture(size: 64) { url }`.
///
/// The structure is that of GraphQL September 2025 §2.6.
public struct GraphQLField: Sendable, Hashable {
    /// Another name for the value in the answer; nil for the field's own.
    public var alias: String?
    /// The field's name in the schema.
    public var name: String
    /// The arguments; empty for a field without them.
    public var arguments: GraphQLArguments
    /// The directives, in order.
    public var directives: [GraphQLDirective]
    /// The selections; empty for a leaf.
    public var selections: [GraphQLSelection]

    /// Creates a field; without selections it is a leaf.
    public init(
        alias: String? = nil, _ name: String, _ arguments: GraphQLArguments = [:], directives: [GraphQLDirective] = [],
        @GraphQLSelectionBuilder selections: () -> [GraphQLSelection] = { [] }
    ) {
        self.init(alias: alias, name: name, arguments: arguments, directives: directives, selections: selections())
    }

    init(
        alias: String?, name: String, arguments: GraphQLArguments, directives: [GraphQLDirective],
        selections: [GraphQLSelection]
    ) {
        self.alias = alias
        self.name = name
        self.arguments = arguments
        self.directives = directives
        self.selections = selections
    }

    /// The name of the value in the answer: the alias, or the name without one.
    public var responseName: String { alias ?? name }
}
