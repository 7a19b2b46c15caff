/// An executable document: operations and their fragments.
///
/// The structure is that of GraphQL September 2025 §2.3.
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
/// Printing checks the grammar, and throws if the document breaks it. Types and fields are not
/// checked against a server's schema. Schemas (type system documents) are not modelled.
public struct GraphQLDocument: Sendable, Hashable {
    /// One part of a document.
    public enum Definition: Sendable, Hashable {
        case operation(GraphQLOperation)
        case fragment(GraphQLFragment)
    }

    /// The definitions in order; at least one.
    public var definitions: [Definition]

    /// Creates a document from definitions.
    public init(_ definitions: [Definition]) { self.definitions = definitions }

    /// Creates a document from operations and fragments.
    public init(@GraphQLDocumentBuilder _ definitions: () -> [Definition]) { self.definitions = definitions() }

    /// The maximum nesting of selections, lists, objects and list types, in all.
    ///
    /// It is as deep as the stack of a secondary thread allows, even in a debug build. Parsing and
    /// printing refuse deeper documents with ``GraphQLSyntaxError/Code/tooDeep``.
    public static let maximumDepth = 100

    /// The operations, in the order of the document.
    public var operations: [GraphQLOperation] {
        definitions.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
    }

    /// The fragments, in the order of the document.
    public var fragments: [GraphQLFragment] {
        definitions.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
    }

    /// Returns the operation that a server runs (September 2025 §6.1, GetOperation).
    ///
    /// - Parameter name: nil for the only operation of the document.
    /// - Returns: nil if there is none, and if the choice needs a name.
    public func operation(named name: String?) -> GraphQLOperation? {
        let candidates = operations.filter { name == nil || $0.name == name }
        return candidates.count == 1 ? candidates[0] : nil
    }
}
