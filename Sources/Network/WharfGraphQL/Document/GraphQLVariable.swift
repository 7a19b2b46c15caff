/// The definition of a variable (September 2025 §2.11): `$first: Int = 10`.
public struct GraphQLVariable: Sendable, Hashable {
    /// The name without `$`.
    public var name: String
    /// The type.
    public var type: GraphQLType
    /// The default, without variables; nil for none, unlike the default `null`.
    public var defaultValue: GraphQLValue?
    /// The directives, without variables in their arguments.
    public var directives: [GraphQLDirective]
    /// A description, new in September 2025; older servers refuse it.
    public var description: GraphQLString?

    /// Creates a definition.
    public init(
        _ name: String, _ type: GraphQLType, default defaultValue: GraphQLValue? = nil,
        directives: [GraphQLDirective] = [], description: GraphQLString? = nil
    ) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
        self.description = description
    }
}
