/// A field with what is selected of it (September 2025 §2.6):
/// `smallPicture: picture(size: 64) { url }`.
public struct GraphQLField: Sendable, Hashable {
    public var alias: String?
    public var name: String
    public var arguments: GraphQLArguments
    public var directives: [GraphQLDirective]
    /// Empty for a leaf.
    public var selections: [GraphQLSelection]

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

    /// Under which the answer has its value: the alias, or else the name.
    public var responseName: String { alias ?? name }
}
