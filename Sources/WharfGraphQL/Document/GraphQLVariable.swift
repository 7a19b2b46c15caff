/// The definition of a variable (September 2025 §2.11): `$first: Int = 10`.
public struct GraphQLVariable: Sendable, Hashable {
    /// Without `$`.
    public var name: String
    public var type: GraphQLType
    /// Nil for none, which is not the default `null`. Without variables in it.
    public var defaultValue: GraphQLValue?
    /// Without variables in them.
    public var directives: [GraphQLDirective]
    /// Of the edition of September 2025; older servers refuse it.
    public var description: GraphQLString?

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
