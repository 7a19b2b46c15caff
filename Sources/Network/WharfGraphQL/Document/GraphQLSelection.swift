/// One selection of an object (GraphQL September 2025 §2.5).
public enum GraphQLSelection: Sendable, Hashable {
    case field(GraphQLField)
    case fragmentSpread(GraphQLFragmentSpread)
    case inlineFragment(GraphQLInlineFragment)
}
