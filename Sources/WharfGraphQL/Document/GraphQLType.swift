/// The type of a variable (September 2025 §2.12).
///
/// A literal is read as it stands in a document: `"[ID!]!"`. One that is no type is refused by
/// printing, as a wrong name is.
public indirect enum GraphQLType: Sendable, Hashable {
    case named(String)
    case list(GraphQLType)
    /// Of a named type or a list, not of another `nonNull`.
    case nonNull(GraphQLType)
}

extension GraphQLType: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        do throws(GraphQLSyntaxError) {
            self = try GraphQLType(parsing: value)
        } catch {
            self = .named(value)
        }
    }
}
