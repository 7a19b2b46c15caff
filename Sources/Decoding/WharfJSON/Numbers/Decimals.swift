/// Conversion from decimal to binary, rounded to the nearest, with ties to even.
@usableFromInline enum Decimals {
    /// The powers of ten that a `Double` holds exactly.
    @usableFromInline static let exactPowers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// Returns `mantissa * 10^power`; nil if the exact algorithm is needed.
    ///
    /// If both factors are exact, one operation rounds once (W. D. Clinger, How to Read Floating
    /// Point Numbers Accurately, 1990).
    @inlinable @inline(__always) static func double(_ mantissa: UInt64, _ power: Int) -> Double? {
        // Every whole number up to 2^53 is a `Double`.
        if power == 0, mantissa <= 1 << 53 { return Double(mantissa) }
        if mantissa <= 1 << 53, power >= -22, power <= 22 {
            let value = Double(mantissa)
            return power < 0 ? value / exactPowers[-power] : value * exactPowers[power]
        }
        return eiselLemire(mantissa, power)
    }

    /// Returns `mantissa * 10^power` as a `Float`, by Clinger's method alone.
    static func float(_ mantissa: UInt64, _ power: Int) -> Float? {
        // The same for 24 bits: 10^10 is the largest power of ten that a `Float` holds exactly.
        guard mantissa <= 1 << 24, power >= -10, power <= 10 else { return nil }
        let ten = Float(exactPowers[abs(power)])
        return power < 0 ? Float(mantissa) / ten : Float(mantissa) * ten
    }

    /// Converts by the algorithm of D. Lemire, Number Parsing at a Gigabyte per Second (2021),
    /// section 5.
    ///
    /// The product with a 128-bit power of five decides the rounding in nearly all cases. Nil if it
    /// does not, and for results that are subnormal or too large.
    @usableFromInline @inline(never) static func eiselLemire(_ mantissa: UInt64, _ power: Int) -> Double? {
        // Zero has no highest bit to normalise to.
        if mantissa == 0 { return 0 }
        // Outside the table the result is zero, infinite or among the smallest subnormals.
        guard PowersOfFive.range.contains(power) else { return nil }
        let zeros = mantissa.leadingZeroBitCount
        let normal = mantissa << UInt64(zeros)
        let (five, fiveLow) = PowersOfFive[power]
        var (high, low) = normal.multipliedFullWidth(by: five)
        // All nine bits below the rounding bit are set, so a carry from the lower half could change
        // the result. Only then the second product is needed.
        if high & 0x1FF == 0x1FF {
            let (more, _) = normal.multipliedFullWidth(by: fiveLow)
            let (sum, carry) = low.addingReportingOverflow(more)
            low = sum
            if carry { high &+= 1 }
            // The power is cut after 128 bits, so the missing bits could still carry.
            if low == .max { return nil }
        }
        let upper = Int(high >> 63)
        let shift = UInt64(upper + 64 - 52 - 3)
        // 54 bits remain: the 53 of a `Double` and one to round with.
        var bits = high >> shift
        // 217706 / 2^16 approximates the binary logarithm of ten, close enough for every power in
        // range.
        let exponent = ((217_706 * power) >> 16) + 63 + upper - zeros + 1023
        // A subnormal keeps fewer bits, so it would be rounded at another place.
        if exponent <= 0 { return nil }
        // Exactly halfway: rounds to even. It occurs only if the power of five fits the word
        // exactly.
        if low <= 1, power >= -4, power <= 23, bits & 3 == 1, bits << shift == high { bits &= ~1 }
        bits += bits & 1
        bits >>= 1
        // Rounding up all ones gives the next power of two.
        let carried = bits >= 2 << 52
        if carried { bits = 1 << 52 }
        let biased = exponent + (carried ? 1 : 0)
        // Too large: the exact algorithm reports infinity, and the reader an error.
        guard biased < 0x7FF else { return nil }
        return Double(bitPattern: bits & ~(1 << 52) | UInt64(biased) << 52)
    }
}
