/// The grammar of `IntValue` and `FloatValue` (September 2025 §2.10.1, §2.10.2), without its
/// look-ahead restrictions.
enum Numeral {
    enum Outcome {
        case integer(end: Int)
        case fraction(end: Int)
        /// A digit is missing at this index, or follows a leading zero.
        case invalid(at: Int)
    }

    static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            switch scan(bytes, from: 0) {
            case .integer(let end), .fraction(let end): end == bytes.count
            case .invalid: false
            }
        }
    }

    static func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Outcome {
        var end = start
        if end < bytes.count, bytes[end] == UInt8(ascii: "-") { end += 1 }
        if end < bytes.count, bytes[end] == UInt8(ascii: "0") {
            end += 1
            // A leading zero is not allowed.
            if end < bytes.count, bytes[end].isDigit { return .invalid(at: end) }
        } else {
            guard digits(bytes, &end) else { return .invalid(at: end) }
        }
        var isInteger = true
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            isInteger = false
            end += 1
            guard digits(bytes, &end) else { return .invalid(at: end) }
        }
        // Lower and upper case.
        if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            end += 1
            if end < bytes.count, bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end += 1 }
            guard digits(bytes, &end) else { return .invalid(at: end) }
        }
        return isInteger ? .integer(end: end) : .fraction(end: end)
    }

    /// Skips digits. Returns false if there are none.
    private static func digits(_ bytes: UnsafeBufferPointer<UInt8>, _ end: inout Int) -> Bool {
        let start = end
        while end < bytes.count, bytes[end].isDigit { end += 1 }
        return end > start
    }
}

extension UInt8 {
    @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }
    @inline(__always) var isNameStart: Bool { (self | 0x20) &- 0x61 < 26 || self == 0x5F }
    @inline(__always) var isNameContinue: Bool { isNameStart || isDigit }
    @inline(__always) var isBlank: Bool { self == 0x20 || self == 0x09 }
}
