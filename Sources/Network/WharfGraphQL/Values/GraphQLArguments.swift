/// A name with its value: an argument, or a field of an object value.
public struct GraphQLArgument: Sendable, Hashable {
    /// The name; printing refuses invalid ones.
    public var name: String
    /// The value.
    public var value: GraphQLValue

    /// Creates an argument.
    public init(_ name: String, _ value: GraphQLValue) {
        self.name = name
        self.value = value
    }
}

/// Names with values, in order: arguments, or the fields of an object value.
///
/// ```swift
/// let arguments: GraphQLArguments = ["first": 10, "after": .variable("cursor"), "filter": ["status": .enum("OPEN")]]
/// ```
///
/// The grammar allows a repeated name; servers refuse it.
public struct GraphQLArguments: Sendable, Hashable {
    /// The names with their values, in order.
    public var elements: [GraphQLArgument]

    /// Creates arguments.
    public init(_ elements: [GraphQLArgument] = []) { self.elements = elements }

    /// The first value with this name; nil if there is none.
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
