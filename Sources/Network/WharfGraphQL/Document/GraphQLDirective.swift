/// A directive (GraphQL September 2025 §2.13): `@include(if: $isLarge)`.
public struct GraphQLDirective: Sendable, Hashable {
    /// The name without `@`.
    public var name: String
    /// The arguments; empty for a directive without them.
    public var arguments: GraphQLArguments

    /// Creates a directive.
    public init(_ name: String, _ arguments: GraphQLArguments = [:]) {
        self.name = name
        self.arguments = arguments
    }
}
