/// An input value (September 2025 §2.10).
///
/// ```swift
/// let value: GraphQLValue = ["ids": [1, 2], "state": .enum("OPEN"), "author": .variable("login"), "label": nil]
/// ```
public enum GraphQLValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(GraphQLNumber)
    case string(GraphQLString)
    /// The name of an enumeration's value. `true`, `false` and `null` are none.
    case `enum`(String)
    case list([GraphQLValue])
    case object(GraphQLArguments)
    /// By its name without `$`. Refused where the grammar wants a constant: in a variable's default
    /// and directives.
    case variable(String)

    public static func int(_ value: some BinaryInteger) -> GraphQLValue { .number(GraphQLNumber(value)) }

    /// - Parameter value: finite, or printing throws ``GraphQLSyntaxError/Code/notFinite``.
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
