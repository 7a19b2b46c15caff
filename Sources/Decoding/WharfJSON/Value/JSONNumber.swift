/// A number as text, so that nothing is rounded.
public struct JSONNumber: Sendable, Hashable {
    /// The text as in the document.
    public let text: String

    /// Creates a number from its text; nil unless RFC 8259 §6 allows it.
    ///
    /// - Parameter text: for example `-0.5e3`, but not `.5`, `+1`, `01` or `NaN`.
    public init?(_ text: String) {
        var reader = JSONReader(JSONBytes(text))
        // The reader skips blanks before and ignores text after the number. Equal lengths mean that
        // there was neither.
        guard reader.kind == .number, reader.numberText()?.utf8.count == text.utf8.count else { return nil }
        self.text = text
    }

    /// - Parameter text: a number that the reader checked.
    init(checked text: String) {
        self.text = text
    }

    /// Creates a number from an integer of any width.
    public init(_ value: some FixedWidthInteger) {
        text = value.description
    }

    /// Returns the exact whole number, also from `1e3`.
    ///
    /// Nil if it has a fraction or does not fit.
    public func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        switch DecimalText(text.utf8).whole(as: type) {
        case .success(let number): number
        case .failure: nil
        }
    }

    /// The nearest `Double`; nil if the number is too large for one.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
