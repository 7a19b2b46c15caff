/// A directive (September 2025 §2.13): `@include(if: $isLarge)`.
public struct GraphQLDirective: Sendable, Hashable {
    /// Without `@`.
    public var name: String
    public var arguments: GraphQLArguments

    public init(_ name: String, _ arguments: GraphQLArguments = [:]) {
        self.name = name
        self.arguments = arguments
    }
}
