/// An executable document (September 2025 §2.3): operations, and the fragments that they use.
///
/// ```swift
/// let document = GraphQLDocument {
///     GraphQLOperation.query("Film", variables: [GraphQLVariable("id", "ID!"), GraphQLVariable("cast", "Int", default: 5)]) {
///         GraphQLField("film", ["id": .variable("id")]) {
///             "title"
///             GraphQLField(alias: "poster", "image", ["size": .enum("LARGE")]) { "url" }
///             GraphQLField("cast", ["first": .variable("cast")]) { GraphQLFragmentSpread("person") }
///         }
///     }
///     GraphQLFragment("person", on: "Person") { "name" }
/// }
/// let text = try document.compact()
/// ```
///
/// What the grammar forbids is found by printing, which throws then. Whether a server knows the
/// types and fields is not checked. Schemas (type system documents) are not modelled.
public struct GraphQLDocument: Sendable, Hashable {
    public enum Definition: Sendable, Hashable {
        case operation(GraphQLOperation)
        case fragment(GraphQLFragment)
    }

    /// In their order; at least one.
    public var definitions: [Definition]

    public init(_ definitions: [Definition]) { self.definitions = definitions }

    public init(@GraphQLDocumentBuilder _ definitions: () -> [Definition]) { self.definitions = definitions() }

    /// How deep selections, lists, objects and list types may nest in one another, in all: as deep
    /// as there is room for on the stack of a thread that is not the main one, also in a debug
    /// build. Deeper documents are refused, by parsing as by printing, with
    /// ``GraphQLSyntaxError/Code/tooDeep``.
    public static let maximumDepth = 100

    /// In the order of the document.
    public var operations: [GraphQLOperation] {
        definitions.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
    }

    /// In the order of the document.
    public var fragments: [GraphQLFragment] {
        definitions.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
    }

    /// The one that a server runs (September 2025 §6.1, GetOperation).
    ///
    /// - Parameter name: nil where the document has a single operation.
    /// - Returns: nil where there is none, and where it takes a name to choose one.
    public func operation(named name: String?) -> GraphQLOperation? {
        let candidates = operations.filter { name == nil || $0.name == name }
        return candidates.count == 1 ? candidates[0] : nil
    }
}
