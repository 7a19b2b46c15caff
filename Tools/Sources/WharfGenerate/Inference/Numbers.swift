import WharfJSON

/// Which type keeps all of some numbers.
struct Numbers {
    private var isWhole = true
    private var fitsInt = true
    private var fitsUInt64 = true
    private var digits = 0

    /// What a `Double` keeps of any decimal fraction.
    private static let doubleDigits = 17
    /// What a `Decimal` keeps.
    private static let decimalDigits = 38

    mutating func add(_ number: JSONNumber) {
        let text = number.text.utf8
        var isWhole = true
        var significant = 0
        var zeros = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "e"), UInt8(ascii: "E"): isWhole = false
            case UInt8(ascii: "."): isWhole = false
            case UInt8(ascii: "0"):
                // Before the first digit and behind the last one they count for nothing.
                if significant > 0 { zeros += 1 }
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                significant += zeros + 1
                zeros = 0
            default: continue
            }
            if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") { break }
        }
        digits = max(digits, significant)
        guard isWhole else {
            self.isWhole = false
            return
        }
        // Nineteen characters always fit.
        guard text.count > 18 else {
            if text.first == UInt8(ascii: "-") { fitsUInt64 = false }
            return
        }
        if Int(number.text) == nil { fitsInt = false }
        if UInt64(number.text) == nil { fitsUInt64 = false }
    }

    var type: ValueType {
        if isWhole, fitsInt { return .integer }
        if isWhole, fitsUInt64 { return .unsigned }
        let needsDecimal = isWhole || digits > Self.doubleDigits
        return needsDecimal && digits <= Self.decimalDigits ? .decimal : .double
    }
}
