package import Foundation

/// Converts between decimals and the text of JSON numbers, without a binary number in between.
package enum DecimalNumber {
    /// Returns the exact value; nil if `Decimal` would have to round it.
    ///
    /// `Decimal` holds 128 bits, which is 38 digits, times a power of ten from -128 to 127.
    ///
    /// - Parameter text: a number by RFC 8259 §6.
    package static func decimal(_ text: some Sequence<UInt8>) -> Decimal? {
        // After each digit the number so far is `mantissa * 10^zeros`, without the point. So
        // trailing zeros take no room.
        var mantissa: UInt128 = 0
        // The zeros since the last other digit. They count only if another digit follows.
        var zeros = 0
        var fractionDigits = 0
        var exponent = 0
        var isNegative = false
        var exponentIsNegative = false
        var part = Part.whole
        for byte in text {
            switch (byte, part) {
            case (0x2D, .exponent): exponentIsNegative = true
            case (0x2D, _): isNegative = true
            case (0x2E, _): part = .fraction
            case (0x45, _), (0x65, _): part = .exponent
            case (0x30...0x39, .exponent):
                // No document is long enough to make up for a larger exponent.
                if exponent < 1 << 50 { exponent = exponent * 10 + Int(byte - 0x30) }
            case (0x30...0x39, _):
                if part == .fraction { fractionDigits += 1 }
                zeros += 1
                guard byte != 0x30 else { continue }
                // The zeros in between are needed now, and this digit's own place with them.
                guard let shifted = multiplied(mantissa, byPowersOfTen: zeros) else { return nil }
                let (sum, overflow) = shifted.addingReportingOverflow(UInt128(byte - 0x30))
                guard !overflow else { return nil }
                mantissa = sum
                zeros = 0
            default: break
            }
        }
        guard mantissa != 0 else { return 0 }
        let power = (exponentIsNegative ? -exponent : exponent) - fractionDigits + zeros
        guard -128...127 ~= power else { return nil }
        return Decimal(mantissa, power: power, isNegative: isNegative)
    }

    /// Returns the text, never with an exponent; nil for NaN.
    package static func text(_ value: Decimal) -> String? {
        value.isNaN ? nil : value.description
    }

    private enum Part { case whole, fraction, exponent }

    private static func multiplied(_ value: UInt128, byPowersOfTen count: Int) -> UInt128? {
        guard value != 0 else { return 0 }
        var value = value
        for _ in 0..<count {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            // The multiplication overflows after 39 rounds at the latest.
            if overflow { return nil }
            value = product
        }
        return value
    }
}

extension Decimal {
    fileprivate init(_ mantissa: UInt128, power: Int, isNegative: Bool) {
        // A `Decimal` holds 128 bits, so neither the product nor the sum is rounded.
        let low = Decimal(UInt64(truncatingIfNeeded: mantissa))
        let high = UInt64(truncatingIfNeeded: mantissa >> 64)
        let whole = high == 0 ? low : Decimal(high) * (Decimal(UInt64.max) + 1) + low
        self.init(sign: isNegative ? .minus : .plus, exponent: power, significand: whole)
    }
}
