/// A number by its text, so that nothing is rounded: GraphQL sets no limit to either kind
/// (September 2025 §2.10.1, §2.10.2).
public struct GraphQLNumber: Sendable, Hashable {
    /// As it is written. `nan` and infinities stand here too, until printing refuses them.
    public let text: String

    /// - Parameter text: nil unless the grammar allows it: `-0.5e3`, but not `.5`, `+1`, `01` or
    ///   `1.`.
    public init?(_ text: String) {
        guard Numeral.isValid(text) else { return nil }
        self.text = text
    }

    public init(_ value: some BinaryInteger) { text = String(value) }

    /// The shortest text that is read back as the same value, always as a `FloatValue`: `2.0`. One
    /// that is not finite can't be printed: ``GraphQLSyntaxError/Code/notFinite``.
    public init(_ value: some BinaryFloatingPoint & CustomStringConvertible) { text = value.description }

    /// - Parameter text: as the parser passed it.
    init(checked text: String) { self.text = text }

    /// The whole number, if it is written as one and fits.
    public func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? { Number(text) }

    /// The nearest `Double`; nil when there is no finite one.
    public var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
}
