import Foundation
import WharfJSON

/// Finds the type that holds all numbers of a place.
struct Numbers {
    private var isWhole = true
    private var fitsInt = true
    private var fitsUInt64 = true
    private var fitsDouble = true
    private var fitsDecimal = true
    /// A number that no type holds.
    private(set) var unreadable: String?

    mutating func add(_ number: JSONNumber) {
        let text = number.text
        let decimal = DecimalDigits(text)
        if decimal.hasFractionOrExponent {
            isWhole = false
        } else if text.utf8.count > 18 {
            if Int(text) == nil { fitsInt = false }
            if UInt64(text) == nil { fitsUInt64 = false }
        } else if text.utf8.first == UInt8(ascii: "-") {
            fitsUInt64 = false
        }
        guard decimal.count > 0 else { return }
        let value = Double(text) ?? .infinity
        let isInRange = value.isFinite && value != 0
        if !isInRange || !Self.keeps(decimal, value) { fitsDouble = false }
        if decimal.count > 38 || !(-128...127).contains(decimal.exponent) {
            fitsDecimal = false
            if !isInRange { unreadable = text }
        }
    }

    var type: ValueType {
        if isWhole, fitsInt { return .integer }
        if isWhole, fitsUInt64 { return .unsigned }
        // A number that neither type holds is rounded: it has more than 38 digits.
        return fitsDouble || !fitsDecimal ? .double : .decimal
    }

    /// Returns whether a `Double` is written back as the same number.
    ///
    /// Up to 15 digits are always kept. A number with 17 digits may be a `Double` printed in full.
    static func keeps(_ decimal: DecimalDigits, _ value: Double) -> Bool {
        if decimal.count <= 15 { return true }
        if decimal.count > 17 { return false }
        return decimal.isWritten(for: value) ?? prints(decimal, value)
    }

    /// Decides it by printing, which takes several times as long.
    static func prints(_ decimal: DecimalDigits, _ value: Double) -> Bool {
        if DecimalDigits(value.description).equals(decimal) { return true }
        return decimal.count == 17 && DecimalDigits(String(format: "%.17g", value)).equals(decimal)
    }
}
