/// A number by its text, so that nothing is rounded.
public struct JSONNumber: Sendable, Hashable {
    /// As it stood in the document.
    public let text: String

    /// - Parameter text: nil unless RFC 8259 §6 allows it: `-0.5e3`, but not `.5`, `+1`, `01` or
    ///   `NaN`.
    public init?(_ text: String) {
        var reader = JSONReader(JSONBytes(text))
        guard reader.kind == .number, reader.numberText()?.utf8.count == text.utf8.count else { return nil }
        self.text = text
    }

    /// - Parameter text: as the reader passed it.
    init(checked text: String) {
        self.text = text
    }

    /// In decimal, whatever the width.
    public init(_ value: some FixedWidthInteger) {
        text = value.description
    }

    /// The whole number, if it is one and fits: exactly, also from `1e3`.
    public func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        switch DecimalText(text.utf8).whole(as: type) {
        case .success(let number): number
        case .failure: nil
        }
    }

    /// The nearest `Double`; nil when it is too large for one.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
