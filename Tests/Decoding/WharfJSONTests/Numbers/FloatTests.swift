import Testing
import WharfJSON
import WharfRandom

/// `Float` values of both decoders are bit-identical to those of the standard library.
@Suite struct FloatTests {
    private func check(_ texts: [String]) throws {
        let document = Array("[\(texts.joined(separator: ","))]".utf8)
        let expected = texts.compactMap { Float($0).flatMap { $0.isFinite ? $0 : nil } }
        try #require(expected.count == texts.count)
        let direct = try JSON.decode([Float].self, from: document)
        let dropIn = try CodableJSONDecoder().decode([Float].self, from: document)
        try #require(direct.count == texts.count && dropIn.count == texts.count)
        for (index, number) in expected.enumerated() {
            if direct[index].bitPattern != number.bitPattern { Issue.record("\(texts[index]): \(direct[index])") }
            if dropIn[index].bitPattern != number.bitPattern {
                Issue.record("\(texts[index]): \(dropIn[index]), drop-in")
            }
        }
    }

    @Test func halfwayFloatsAndNeighborsMatchStandardLibrary() throws {
        var random = SeededGenerator(seed: 41)
        var texts: [String] = []
        // All powers of two of a `Float`, including the subnormal ones. An odd integer of 25 bits
        // lies exactly between two of 24 bits.
        for power in -149...102 {
            for _ in 0..<8 {
                let odd = UInt64.random(in: 1 << 23..<1 << 24, using: &random) * 2 + 1
                // For subnormals, the lowest bit is the last one of the format.
                texts += Self.around(odd, timesTwoTo: power)
                texts += Self.around(odd & 0xFF | 1, timesTwoTo: max(-150, power - 1))
            }
        }
        try check(texts)
    }

    @Test func fewDigitsTimesPowerOfTenMatchStandardLibrary() throws {
        var random = SeededGenerator(seed: 43)
        var texts: [String] = []
        for power in -50...31 {
            for _ in 0..<20 {
                let digits = Int.random(in: 0..<1 << Int.random(in: 1...26, using: &random), using: &random)
                texts += ["\(digits)e\(power - 4)", "-\(digits).\(digits)E\(power - 1)"].filter {
                    // The drop-in decoder refuses a nonzero number that would become zero.
                    Float($0).map { $0.isFinite && $0 != 0 } == true
                }
            }
        }
        for edge in [(1 << 24) - 1, 1 << 24, (1 << 24) + 1, (1 << 24) + 2, (1 << 24) + 3] {
            for power in -12...12 { texts += ["\(edge)e\(power)", "-\(edge)e\(power)", "\(edge).0e\(power)"] }
        }
        try check(texts)
    }

    @Test func floatLimitsMatchStandardLibrary() throws {
        try check([
            "3.4028234663852886e38", "-3.4028234663852886e38", "3.4028235e38", "1.17549435e-38", "1.1754942e-38",
            "1.4e-45", "1e-45", "7.0064923216240854e-46", "-7.1e-46", "0", "-0", "-0.0e-999", "0e999",
            "340282356779733661637539395458142568447", "340282356779733661637539395458142568447.999e0",
            "16777217", "16777217.0", "16777216.99999999999999999999", "16777217.00000000000000000001",
        ])
    }

    @Test(arguments: ["340282356779733661637539395458142568448", "3.4028236e38", "1e39", "-1e39", "1e400", "-123e9999"])
    func tooLargeFloatIsOutOfRange(_ text: String) throws {
        #expect(failure(Float.self, text).map(\.code) == [.outOfRange])
        #expect(dropIn(text) == .outOfRange)
    }

    @Test(arguments: [
        "7.0064923216240853e-46", "1e-46", "-1e-400", "0.00000000000000000000000000000000000000000000001",
    ])
    func underflowIsZeroDirectlyAndOutOfRangeWithCodable(_ text: String) throws {
        let read = try JSON.decode(Float.self, from: text)
        #expect(read == 0)
        #expect(read.sign == (text.hasPrefix("-") ? .minus : .plus))
        #expect(dropIn(text) == .outOfRange)
    }

    private func dropIn(_ text: String) -> JSONIssue.Code? {
        let error = #expect(throws: DecodingError.self) {
            try CodableJSONDecoder().decode(Float.self, from: Array(text.utf8))
        }
        return error.flatMap(CodableErrorTests.cause)?.code
    }

    /// The number with all its digits, and with its last digit increased or decreased a little.
    private static func around(_ number: UInt64, timesTwoTo power: Int) -> [String] {
        // 2^-n = 5^n * 10^-n.
        var digits = "\(number)".utf8.reversed().map { Int($0) - 0x30 }
        for _ in 0..<abs(power) { multiply(&digits, by: power < 0 ? 5 : 2) }
        let text = digits.reversed().map { "\($0)" }.joined()
        let ten = min(power, 0)
        let last = digits[0]
        // A number with a fraction of 1/2 ends in 5. A whole number that ends in 0 has no last
        // digit to decrease.
        let less = last == 0 ? [] : ["\(text.dropLast())\(last - 1)9e\(ten - 1)"]
        return ["\(text)e\(ten)", "\(text)1e\(ten - 1)"] + less
    }

    /// Multiplies digits, with the lowest digit first.
    private static func multiply(_ digits: inout [Int], by factor: Int) {
        var carry = 0
        for index in digits.indices {
            let product = digits[index] * factor + carry
            (digits[index], carry) = (product % 10, product / 10)
        }
        if carry > 0 { digits.append(carry) }
    }
}
