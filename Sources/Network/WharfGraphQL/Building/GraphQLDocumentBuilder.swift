/// A result builder for the operations and fragments of a document.
@resultBuilder public enum GraphQLDocumentBuilder {
    /// The definitions that one expression stands for.
    public typealias Part = [GraphQLDocument.Definition]

    /// Adds an operation.
    public static func buildExpression(_ operation: GraphQLOperation) -> Part { [.operation(operation)] }
    /// Adds a fragment.
    public static func buildExpression(_ fragment: GraphQLFragment) -> Part { [.fragment(fragment)] }
    /// Adds a definition.
    public static func buildExpression(_ definition: GraphQLDocument.Definition) -> Part { [definition] }
    /// Adds the definitions of another document.
    public static func buildExpression(_ definitions: [GraphQLDocument.Definition]) -> Part { definitions }
    /// Adds fragments that several documents share.
    public static func buildExpression(_ fragments: [GraphQLFragment]) -> Part { fragments.map { .fragment($0) } }

    public static func buildBlock(_ parts: Part...) -> Part { parts.flatMap { $0 } }
    public static func buildOptional(_ part: Part?) -> Part { part ?? [] }
    public static func buildEither(first part: Part) -> Part { part }
    public static func buildEither(second part: Part) -> Part { part }
    public static func buildArray(_ parts: [Part]) -> Part { parts.flatMap { $0 } }
}
