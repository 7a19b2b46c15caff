/// An input value (GraphQL September 2025 §2.10).
///
/// ```swift
/// let value: GraphQLValue = ["ids": [1, 2], "state": .enum("OPEN"), "author": .variable("login"), "label": nil]
/// ```
public enum GraphQLValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(GraphQLNumber)
    case string(GraphQLString)
    /// The name of an enumeration's value; not `true`, `false` or `null`.
    case `enum`(String)
    case list([GraphQLValue])
    case object(GraphQLArguments)
    /// A variable by its name without `$`.
    ///
    /// It is refused where the grammar requires a constant: in a variable's default and directives.
    case variable(String)

    /// Returns an integer.
    public static func int(_ value: some BinaryInteger) -> GraphQLValue { .number(GraphQLNumber(value)) }

    /// Returns a float.
    ///
    /// - Parameter value: must be finite; otherwise printing throws
    ///   ``GraphQLSyntaxError/Code/notFinite``.
    public static func float(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> GraphQLValue {
        .number(GraphQLNumber(value))
    }
}

extension GraphQLValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .float(value) }
    public init(stringLiteral value: String) { self = .string(GraphQLString(value)) }
    public init(arrayLiteral elements: GraphQLValue...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, GraphQLValue)...) {
        self = .object(GraphQLArguments(elements.map { GraphQLArgument($0.0, $0.1) }))
    }
}
