/// The format of a value in a link: its parser and its printer, on decoded text.
///
/// ```swift
/// extension LinkValue<Film.ID> {
///     static var filmID: Self {
///         LinkValue("the ID of a film, such as tt0133093", parse: { Film.ID($0) }, print: { $0.text })
///     }
/// }
/// ```
///
/// Parsing a printed value must return an equal value. `RouteLaws` of `WharfPresentationLaws`
/// checks it.
public struct LinkValue<Value: Sendable>: Sendable {
    /// A description of the value, for error messages.
    public let expected: String
    let parse: @Sendable (String) -> Value?
    let print: @Sendable (Value) -> String
    /// Whether every text is a value.
    let acceptsAny: Bool

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - expected: a text that completes "expected …" in messages. It may give an example.
    ///   - parse: returns the value of a decoded text, or nil if it is invalid.
    ///   - print: returns the text of a value, which is percent-encoded later.
    public init(
        _ expected: String, parse: @escaping @Sendable (String) -> Value?, print: @escaping @Sendable (Value) -> String
    ) {
        self.init(expected, acceptsAny: false, parse: parse, print: print)
    }

    fileprivate init(
        _ expected: String, acceptsAny: Bool, parse: @escaping @Sendable (String) -> Value?,
        print: @escaping @Sendable (Value) -> String
    ) {
        self.expected = expected
        self.acceptsAny = acceptsAny
        self.parse = parse
        self.print = print
    }
}

extension LinkValue<String> {
    /// Any text. In the path it must not be empty or dots, so free text belongs into the query.
    public static var string: Self { LinkValue("a text", acceptsAny: true, parse: { $0 }, print: { $0 }) }
}

extension LinkValue<Int> {
    /// A decimal whole number that fits into `Int`.
    public static var int: Self { LinkValue("a whole number", parse: { Int($0) }, print: { String($0) }) }
}

extension LinkValue<Bool> {
    /// A Boolean, written `true` or `false`.
    public static var bool: Self { LinkValue("true or false", parse: { Bool($0) }, print: { String($0) }) }
}

extension LinkValue where Value: RawRepresentable<String> {
    /// A value with a raw text, such as a case of an enum.
    public static var rawValue: Self {
        LinkValue("a \(Value.self)", parse: { Value(rawValue: $0) }, print: { $0.rawValue })
    }
}
