import Testing

@testable import WharfJSON

/// Compares the table with powers computed by arbitrary-precision integers.
@Suite struct PowersOfFiveTests {
    @Test func everyPowerOfFiveMatchesLongArithmetic() {
        // 5^p for p >= 0 is truncated to 128 bits.
        var power: [UInt32] = [1]
        for exponent in 0...PowersOfFive.range.upperBound {
            #expect(words(topBits(power)) == PowersOfFive[exponent], "5^\(exponent)")
            multiply(&power, by: 5)
        }
        // 5^-p is 2^b / 5^p with 128 bits. It is rounded up while 5^p fits into 64 bits, so that
        // halfway numbers are detected, and truncated after that.
        power = [5]
        for exponent in 1...(-PowersOfFive.range.lowerBound) {
            let bits = bitCount(power)
            // The quotient of 2^(bits + 127) / 5^p has 128 bits. It is never exact, as 5^p is no
            // power of two.
            let quotient = divide(powerOfTwo: bits + 127, by: power)
            #expect(words(exponent <= 27 ? quotient &+ 1 : quotient) == PowersOfFive[-exponent], "5^-\(exponent)")
            multiply(&power, by: 5)
        }
    }

    private func words(_ value: UInt128) -> (UInt64, UInt64) {
        (UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value))
    }

    /// The digits have 32 bits each, the lowest first.
    private func multiply(_ number: inout [UInt32], by factor: UInt64) {
        var carry: UInt64 = 0
        for index in number.indices {
            let product = UInt64(number[index]) * factor + carry
            number[index] = UInt32(truncatingIfNeeded: product)
            carry = product >> 32
        }
        if carry > 0 { number.append(UInt32(carry)) }
    }

    private func bitCount(_ number: [UInt32]) -> Int {
        32 * number.count - (number.last?.leadingZeroBitCount ?? 0)
    }

    private func bit(_ number: [UInt32], _ index: Int) -> UInt128 {
        index < 0 ? 0 : UInt128(number[index / 32] >> UInt32(index % 32) & 1)
    }

    private func topBits(_ number: [UInt32]) -> UInt128 {
        let count = bitCount(number)
        return (1...128).reduce(0) { $0 << 1 | bit(number, count - $1) }
    }

    /// Long division, one bit at a time.
    private func divide(powerOfTwo: Int, by divisor: [UInt32]) -> UInt128 {
        var quotient: UInt128 = 0
        var rest = [UInt32](repeating: 0, count: divisor.count + 1)
        for index in 0...powerOfTwo {
            var carry: UInt32 = index == 0 ? 1 : 0
            for place in rest.indices {
                (rest[place], carry) = (rest[place] << 1 | carry, rest[place] >> 31)
            }
            let fits = !isLess(rest, divisor + [0])
            if fits { subtract(&rest, divisor) }
            quotient = quotient << 1 | (fits ? 1 : 0)
        }
        return quotient
    }

    private func isLess(_ left: [UInt32], _ right: [UInt32]) -> Bool {
        for index in left.indices.reversed() where left[index] != right[index] { return left[index] < right[index] }
        return false
    }

    private func subtract(_ left: inout [UInt32], _ right: [UInt32]) {
        var borrow: UInt32 = 0
        for index in left.indices {
            let other = index < right.count ? right[index] : 0
            let (first, one) = left[index].subtractingReportingOverflow(other)
            let (second, two) = first.subtractingReportingOverflow(borrow)
            left[index] = second
            borrow = one || two ? 1 : 0
        }
    }
}

private func == (left: (UInt64, UInt64), right: (high: UInt64, low: UInt64)) -> Bool {
    left.0 == right.high && left.1 == right.low
}
