/// A name with its value.
public struct GraphQLArgument: Sendable, Hashable {
    public var name: String
    public var value: GraphQLValue

    public init(_ name: String, _ value: GraphQLValue) {
        self.name = name
        self.value = value
    }
}

/// Names with values in their order: the arguments of a field or a directive, and the fields of an
/// object value.
///
/// ```swift
/// let arguments: GraphQLArguments = ["first": 10, "after": .variable("cursor"), "filter": ["status": .enum("OPEN")]]
/// ```
///
/// The grammar allows a name to come twice; servers refuse it.
public struct GraphQLArguments: Sendable, Hashable {
    public var elements: [GraphQLArgument]

    public init(_ elements: [GraphQLArgument] = []) { self.elements = elements }

    /// The first value of this name.
    public subscript(name: String) -> GraphQLValue? { elements.first { $0.name == name }?.value }
}

extension GraphQLArguments: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, GraphQLValue)...) {
        self.init(elements.map { GraphQLArgument($0.0, $0.1) })
    }
}

extension GraphQLArguments: RandomAccessCollection {
    public var startIndex: Int { elements.startIndex }
    public var endIndex: Int { elements.endIndex }
    public subscript(position: Int) -> GraphQLArgument { elements[position] }
}
