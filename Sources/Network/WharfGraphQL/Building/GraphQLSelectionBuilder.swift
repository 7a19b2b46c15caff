/// A result builder for selections. A string is a leaf: the field of that name.
@resultBuilder public enum GraphQLSelectionBuilder {
    /// Adds a field without selections, by its name.
    public static func buildExpression(_ leaf: String) -> [GraphQLSelection] { [.field(GraphQLField(leaf))] }
    /// Adds a field.
    public static func buildExpression(_ field: GraphQLField) -> [GraphQLSelection] { [.field(field)] }
    /// Adds the spread of a fragment.
    public static func buildExpression(_ spread: GraphQLFragmentSpread) -> [GraphQLSelection] {
        [.fragmentSpread(spread)]
    }
    /// Adds an inline fragment.
    public static func buildExpression(_ fragment: GraphQLInlineFragment) -> [GraphQLSelection] {
        [.inlineFragment(fragment)]
    }
    /// Adds a selection.
    public static func buildExpression(_ selection: GraphQLSelection) -> [GraphQLSelection] { [selection] }
    /// Adds selections that were made before.
    public static func buildExpression(_ selections: [GraphQLSelection]) -> [GraphQLSelection] { selections }

    public static func buildBlock(_ part: [GraphQLSelection]) -> [GraphQLSelection] { part }
    public static func buildBlock(_ parts: [GraphQLSelection]...) -> [GraphQLSelection] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [GraphQLSelection]?) -> [GraphQLSelection] { part ?? [] }
    public static func buildEither(first part: [GraphQLSelection]) -> [GraphQLSelection] { part }
    public static func buildEither(second part: [GraphQLSelection]) -> [GraphQLSelection] { part }
    public static func buildArray(_ parts: [[GraphQLSelection]]) -> [GraphQLSelection] { parts.flatMap { $0 } }
}
