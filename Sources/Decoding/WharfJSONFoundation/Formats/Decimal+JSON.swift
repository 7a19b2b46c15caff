public import Foundation
public import WharfJSON

/// A number, digit for digit, without a binary number in between.
///
/// A number that `Decimal` would have to round is ``JSONIssue/Code/outOfRange``. It has more than
/// 38 digits or a power of ten outside of `Decimal`'s range.
extension Decimal: JSONCodable {
    public static func decode(from json: inout JSONReader) -> Decimal? {
        let place = json.offset
        guard var text = json.numberText() else { return nil }
        return text.withUTF8 { DecimalNumber.decimal($0) }
            ?? json.invalid(
                at: place, .outOfRange,
                expected: "a number of at most 38 digits times a power of ten from -128 to 127 (Decimal)")
    }

    public func encode(into json: inout JSONWriter) {
        guard let text = DecimalNumber.text(self) else {
            return json.invalid(expected: "a number, as JSON has no NaN")
        }
        json.raw(Array(text.utf8))
    }
}
