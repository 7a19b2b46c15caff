/// A number as text, so that it is never rounded.
///
/// GraphQL does not limit integers and floats (September 2025 §2.10.1, §2.10.2).
public struct GraphQLNumber: Sendable, Hashable {
    /// The text. It may be `nan` or an infinity, which printing refuses.
    public let text: String

    /// Creates a number from text.
    ///
    /// - Parameter text: must follow the grammar: `-0.5e3`, but not `.5`, `+1`, `01` or `1.`.
    ///   Otherwise the result is nil.
    public init?(_ text: String) {
        guard Numeral.isValid(text) else { return nil }
        self.text = text
    }

    /// Creates an integer.
    public init(_ value: some BinaryInteger) { text = String(value) }

    /// Creates a float with the shortest text that is read back as the same value.
    ///
    /// It is always a `FloatValue`: `2.0`. Printing a value that is not finite throws
    /// ``GraphQLSyntaxError/Code/notFinite``.
    public init(_ value: some BinaryFloatingPoint & CustomStringConvertible) { text = value.description }

    /// - Parameter text: was checked by the parser.
    init(checked text: String) { self.text = text }

    /// Returns the integer, if the text is one and it fits.
    public func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? { Number(text) }

    /// The nearest `Double`; nil if there is no finite one.
    public var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
}
