import Foundation
import WharfJSON

/// Which type keeps all of some numbers.
struct Numbers {
    private var isWhole = true
    private var fitsInt = true
    private var fitsUInt64 = true
    private var fitsDouble = true
    private var fitsDecimal = true
    /// One that no type holds.
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
        // What neither keeps is rounded: more than 38 digits.
        return fitsDouble || !fitsDecimal ? .double : .decimal
    }

    /// Whether a `Double` is written back as the same number. Fifteen digits it always keeps; seventeen are also what a `Double` looks
    /// like that somebody has printed whole.
    private static func keeps(_ decimal: DecimalDigits, _ value: Double) -> Bool {
        if decimal.count <= 15 { return true }
        if DecimalDigits(value.description) == decimal { return true }
        return decimal.count == 17 && DecimalDigits(String(format: "%.17g", value)) == decimal
    }
}

/// A number by its digits, from the first to the last that is not zero.
struct DecimalDigits: Equatable {
    private var digits: [UInt8] = []
    /// Of ten, behind the last digit.
    private(set) var exponent = 0
    private(set) var hasFractionOrExponent = false

    /// - Parameter text: by the grammar of JSON, or as `Double` writes itself.
    init(_ text: String) {
        var point = 0
        var isBehindPoint = false
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        for byte in parts.first?.utf8 ?? "".utf8[...] {
            switch byte {
            case UInt8(ascii: "."): isBehindPoint = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if isBehindPoint { point += 1 }
                if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
            default: continue
            }
        }
        hasFractionOrExponent = isBehindPoint || parts.count > 1
        // Beyond what anything holds a saturated one is as good.
        exponent =
            (parts.count > 1 ? Int(parts[1].drop { $0 == "+" }) ?? (parts[1].first == "-" ? -9_999 : 9_999) : 0) - point
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
    }

    var count: Int { digits.count }

    static func == (a: Self, b: Self) -> Bool { a.digits == b.digits && (a.exponent == b.exponent || a.digits.isEmpty) }
}
