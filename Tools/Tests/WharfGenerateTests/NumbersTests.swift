import Foundation
import Testing

@testable import WharfGenerate

struct NumbersTests {
    @Test(arguments: [
        ("0", 0, 0, 0, false), ("-0.00", 0, 0, -2, true), ("120", 12, 2, 1, false), ("-12.50", 125, 3, -1, true),
        ("0.0012e3", 12, 2, -1, true), ("1E+2", 1, 1, 2, true), ("100.001", 100_001, 6, -3, true),
        ("1e-99999999999", 1, 1, -9_999, true), ("65.613616999999977", 65_613_616_999_999_977, 17, -15, true),
    ])
    func digitsOmitLeadingAndTrailingZeros(
        text: String, significand: UInt64, count: Int, exponent: Int, hasFractionOrExponent: Bool
    ) {
        let digits = DecimalDigits(text)
        #expect(digits.significand == significand && digits.count == count)
        #expect(count == 0 || digits.exponent == exponent)
        #expect(digits.hasFractionOrExponent == hasFractionOrExponent)
    }

    @Test func moreDigitsThanFitAreCounted() {
        #expect(DecimalDigits("12345678901234567890.10").count == 21)
        #expect(DecimalDigits("1" + String(repeating: "0", count: 40)).count == 1)
    }

    /// The arithmetic decides the same as printing.
    @Test(arguments: [16, 17])
    func doubleIsKeptIfItPrintsTheSameDigits(count: Int) throws {
        var random = Numbered(state: 7)
        var (kept, decided) = (0, 0)
        for _ in 0..<20_000 {
            // Numbers from 1e-9 to 1e18: printed doubles, and others with any digits.
            let value =
                Double.random(in: 1..<10, using: &random) * pow(10, Double(Int.random(in: -9...18, using: &random)))
            var text = String(format: "%.\(count)g", value)
            if Bool.random(using: &random), let last = text.lastIndex(where: { "1"..."8" ~= $0 }), !text.contains("e") {
                text.replaceSubrange(last...last, with: String(Int.random(in: 1...9, using: &random)))
            }
            let decimal = DecimalDigits(text)
            guard decimal.count == count else { continue }
            let read = try #require(Double(text))
            let printed = Numbers.prints(decimal, read)
            #expect(Numbers.keeps(decimal, read) == printed, "\(text)")
            kept += printed ? 1 : 0
            decided += decimal.isWritten(for: read) == nil ? 0 : 1
        }
        #expect(kept > 1_000 && decided > 1_000)
    }
}

/// The same numbers in each run (SplitMix64).
private struct Numbered: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
