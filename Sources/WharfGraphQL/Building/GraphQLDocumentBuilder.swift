/// Collects operations and fragments.
@resultBuilder public enum GraphQLDocumentBuilder {
    public typealias Part = [GraphQLDocument.Definition]

    public static func buildExpression(_ operation: GraphQLOperation) -> Part { [.operation(operation)] }
    public static func buildExpression(_ fragment: GraphQLFragment) -> Part { [.fragment(fragment)] }
    public static func buildExpression(_ definition: GraphQLDocument.Definition) -> Part { [definition] }
    /// For definitions of another document.
    public static func buildExpression(_ definitions: [GraphQLDocument.Definition]) -> Part { definitions }
    /// For fragments that several documents share.
    public static func buildExpression(_ fragments: [GraphQLFragment]) -> Part { fragments.map { .fragment($0) } }

    public static func buildBlock(_ parts: Part...) -> Part { parts.flatMap { $0 } }
    public static func buildOptional(_ part: Part?) -> Part { part ?? [] }
    public static func buildEither(first part: Part) -> Part { part }
    public static func buildEither(second part: Part) -> Part { part }
    public static func buildArray(_ parts: [Part]) -> Part { parts.flatMap { $0 } }
}
