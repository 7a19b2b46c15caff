import Foundation
import Testing
import WharfJSON
import WharfJSONFoundation
import WharfRandom

@Suite struct DecimalTests {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("0.000e5", "0"), ("0e999999999999999999999", "0"), ("0.1", "0.1"), ("-1.50", "-1.5"),
        ("1E2", "100"), ("1.25e-3", "0.00125"), ("19.99", "19.99"),
        ("12345678901234567890.10", "12345678901234567890.1"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("-0.00000000000000000000000000000000000001", "-0.00000000000000000000000000000000000001"),
        ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
        ("1.00000000000000000000000000000000000000000000000000", "1"),
        ("100000000000000000000000000000000000000000000000000e-50", "1"),
    ])
    func aNumberIsReadDigitForDigit(_ row: (text: String, expected: String)) throws {
        let value = try decoded(Own<Decimal>.self, row.text)
        #expect(value == Decimal(string: row.expected))
        #expect(value.description == row.expected)
        #expect(try encoded(Own<Decimal>.self, value) == row.expected)
    }

    @Test(arguments: [
        "340282366920938463463374607431768211456", "1.000000000000000000000000000000000000000000001", "1e128", "1e-129",
        "123456789e-130", "1e999999999999999999999", "-1e-999999999999999999999",
    ])
    func decimalThatNeedsRoundingIsOutOfRange(_ text: String) throws {
        let issue = try issue(Own<Decimal>.self, text)
        #expect(issue.code == .outOfRange)
        #expect(issue.expected.contains("38 digits"))
        #expect(issue.found.hasPrefix("the number"))
    }

    @Test func theLargestPowersAreRead() throws {
        #expect(try decoded(Own<Decimal>.self, "1e127").description == "1" + String(repeating: "0", count: 127))
        #expect(try decoded(Own<Decimal>.self, "1e-128") == Decimal(sign: .plus, exponent: -128, significand: 1))
        #expect(
            try decoded(Own<Decimal>.self, encoded(Own<Decimal>.self, .greatestFiniteMagnitude))
                == .greatestFiniteMagnitude)
        #expect(
            try decoded(Own<Decimal>.self, encoded(Own<Decimal>.self, .leastNonzeroMagnitude)) == .leastNonzeroMagnitude
        )
    }

    @Test func aStringIsNoNumberAndNaNIsNotWritten() throws {
        #expect(try issue(Own<Decimal>.self, "\"1.5\"").code == .typeMismatch)
        let error = #expect(throws: JSONError.self) { try encoded(Own<Decimal>.self, .nan) }
        #expect(error?.code == .notEncodable)
    }

    @Test func anyDecimalIsReadBackAndAgreesWithFoundation() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<5000 {
            let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
                "0123456789".randomElement(using: &random) ?? "0"
            }
            let exponent = Int.random(in: -128...89, using: &random)
            let significand = try #require(Decimal(string: String(digits)))
            let sign: FloatingPointSign = Bool.random(using: &random) ? .plus : .minus
            let value = Decimal(sign: sign, exponent: exponent, significand: significand)
            #expect(try decoded(Own<Decimal>.self, encoded(Own<Decimal>.self, value)) == value)
            let trimmed = String(digits.drop { $0 == "0" })
            let text = "\(sign == .minus ? "-" : "")\(trimmed.isEmpty ? "0" : trimmed)e\(exponent)"
            #expect(try decoded(Own<Decimal>.self, text) == value)
        }
    }
}
