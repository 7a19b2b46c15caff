/// How a value stands in a link: read from decoded text, and printed to text that is encoded then.
///
/// ```swift
/// extension LinkValue<Film.ID> {
///     static var filmID: Self {
///         LinkValue("the ID of a film, such as tt0133093", parse: { Film.ID($0) }, print: { $0.text })
///     }
/// }
/// ```
///
/// What is printed must be read as it was. `RouteLaws` of `WharfPresentationLaws` try whether it
/// is.
public struct LinkValue<Value: Sendable>: Sendable {
    /// What it is, for messages.
    public let expected: String
    let parse: @Sendable (String) -> Value?
    let print: @Sendable (Value) -> String
    /// True if every text is a value.
    let acceptsAny: Bool

    /// - Parameters:
    ///   - expected: completes "expected …", and may give an example.
    ///   - parse: nil for what is none.
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
    /// Any text. In the path it can be neither empty nor dots: free text belongs in the query.
    public static var string: Self { LinkValue("a text", acceptsAny: true, parse: { $0 }, print: { $0 }) }
}

extension LinkValue<Int> {
    public static var int: Self { LinkValue("a whole number", parse: { Int($0) }, print: { String($0) }) }
}

extension LinkValue<Bool> {
    /// `true` or `false`.
    public static var bool: Self { LinkValue("true or false", parse: { Bool($0) }, print: { String($0) }) }
}

extension LinkValue where Value: RawRepresentable<String> {
    /// Such as an enum of texts.
    public static var rawValue: Self {
        LinkValue("a \(Value.self)", parse: { Value(rawValue: $0) }, print: { $0.rawValue })
    }
}
