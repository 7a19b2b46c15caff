/// The type of a variable (GraphQL September 2025 §2.12).
///
/// A literal is parsed like a type in a document: `"[ID!]!"`. Printing refuses an invalid one, like
/// an invalid name.
public indirect enum GraphQLType: Sendable, Hashable {
    /// A type by its name.
    case named(String)
    /// A list type, with the type of its elements.
    case list(GraphQLType)
    /// A non-null type; it must wrap a named type or a list.
    case nonNull(GraphQLType)
}

extension GraphQLType: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        do throws(GraphQLSyntaxError) {
            self = try GraphQLType(parsing: value)
        } catch {
            // The literal is kept, so that printing reports it. A literal can't throw.
            self = .named(value)
        }
    }
}
