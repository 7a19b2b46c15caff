import Testing
import WharfJSON
import WharfRandom

/// `Double` values are bit-identical to those of the standard library.
@Suite struct DoubleTests {
    private func check(_ texts: some Sequence<String>) throws {
        // A single document for all numbers, so that a million of them take a second.
        let texts = Array(texts)
        let numbers = texts.compactMap { Double($0).flatMap { $0.isFinite ? $0 : nil } }
        try #require(numbers.count == texts.count)
        let read = try JSON.decode([Double].self, from: JSONBytes("[" + texts.joined(separator: ",") + "]"))
        try #require(read.count == numbers.count)
        for (index, number) in numbers.enumerated() where number.bitPattern != read[index].bitPattern {
            Issue.record("\(texts[index]): \(read[index])")
        }
    }

    @Test func powersOfTenMatchStandardLibrary() throws {
        try check((-400...308).flatMap { ["1e\($0)", "-1E\($0)", "1.0e\($0)", "10e\($0 - 1)", "0.1e\($0)"] })
        for power in 309...420 {
            #expect(failure(Double.self, "1e\(power)").map(\.code) == [.outOfRange])
        }
    }

    @Test func largestAndSmallestDoublesMatchStandardLibrary() throws {
        try check([
            "1.7976931348623157e308", "1.7976931348623158e308", "-1.7976931348623157e308", "179769313486231570e291",
            "2.2250738585072014e-308", "2.2250738585072011e-308", "2.2250738585072009e-308", "4.9406564584124654e-324",
            "5e-324", "3e-324", "2.4703282292062328e-324", "2.4703282292062327e-324", "2e-324", "1e-324", "1e-1000000",
            "0.000000000000000000000000000000000000000000001e45", "100000000000000000000000000000000000000e-38",
            "0e999999999999", "-0.0e-999999999999", "0.0000000000000000000000000000", "1e-99999999999999999999",
        ])
        #expect(failure(Double.self, "1.7976931348623159e308").map(\.code) == [.outOfRange])
        #expect(failure(Double.self, "1e99999999999999999999").map(\.code) == [.outOfRange])
    }

    @Test func halfwayDoublesMatchStandardLibrary() throws {
        var random = SeededGenerator(seed: 11)
        var texts = [
            "9007199254740993", "9007199254740993.0", "9007199254740992.5", "9007199254740994.9999999999999999999999",
            "9007199254740993.00000000000000000000000000000000001", "9007199254740992.99999999999999999999999999999999",
            "18014398509481986", "18014398509481987", "36028797018963972", "4503599627370497.5", "4503599627370496.5",
            "1.00000000000000011102230246251565404236316680908203125",
            "1.00000000000000011102230246251565404236316680908203124",
            "1.00000000000000011102230246251565404236316680908203126", "9223372036854775807", "9223372036854776832",
            "9223372036854776833", "18446744073709551615", "18446744073709551616",
        ]
        // An odd integer of 54 bits lies exactly between two of 53 bits.
        for _ in 0..<3000 {
            let odd = UInt64.random(in: 1 << 52..<1 << 53, using: &random) * 2 + 1
            for shift in 0...9 { texts += ["\(odd << UInt64(shift))", "\(odd << UInt64(shift)).000001"] }
            texts += ["\(odd - 1)", "\(odd)e0", "\(odd)0e-1", "\(odd)e22", "\(odd)e-22", "\(odd)e23"]
        }
        try check(texts)
    }

    @Test func randomDoublesMatchStandardLibrary() throws {
        var random = SeededGenerator(seed: 13)
        #if DEBUG
        let count = 100_000
        #else
        let count = 1_000_000
        #endif
        for _ in 0..<10 {
            try check(
                (0..<count / 10).map { _ in
                    var text: [UInt8] = random.oneIn(4) ? [0x2D] : []
                    let length = Int.random(in: 1...25, using: &random)
                    var word = random.next()
                    text.append(0x31 + UInt8(word % 9))
                    let point = Int(random.next() % 40)
                    for place in 1..<max(length, 1) {
                        if place == point { text.append(0x2E) }
                        word = word &* 6_364_136_223_846_793_005 &+ 1
                        text.append(0x30 + UInt8((word >> 40) % 10))
                    }
                    let exponent = Int(random.next() % 660) - 345
                    return String(decoding: text, as: UTF8.self) + (exponent < 280 ? "e\(exponent)" : "")
                })
        }
    }

    @Test func shortestTextsOfRandomBitsAreReadBack() throws {
        var random = SeededGenerator(seed: 17)
        var texts: [String] = []
        while texts.count < 100_000 {
            let number = Double(bitPattern: random.next())
            if number.isFinite { texts.append(number.description) }
        }
        // Subnormals are drawn separately, as random bits contain few of them.
        texts += (0..<20_000).map { _ in Double(bitPattern: random.next() >> (12 + random.next() % 40)).description }
        try check(texts)
    }

    @Test func doublesOfManyDigitsMatchStandardLibrary() throws {
        for count in [18, 19, 20, 21, 100, 800, 5000] {
            let digits = String(repeating: "1234567890", count: count / 10 + 1).prefix(count)
            try check([
                "\(digits)e-\(count)", "0.\(digits)", "\(digits)e\(-count - 300)", "-\(digits).\(digits)e-\(count)",
            ])
            try check([
                "0." + String(repeating: "0", count: count) + "7", "7" + String(repeating: "0", count: min(count, 300)),
            ])
        }
    }

    @Test(arguments: ["\"1\"", "true", "null", "[1]", "{}"]) func nonNumberIsATypeMismatch(_ document: String) {
        #expect(failure(Double.self, document).map(\.expected) == ["a number"])
        #expect(failure(Float.self, document).map(\.code) == [.typeMismatch])
    }

    @Test func aFloatIsRoundedOnce() throws {
        // Rounding first to `Double` would round these twice, to the other neighbour.
        var texts = [
            "1.00000005960464480000000001", "1.00000017881393421514957253748434595763683319091796875001",
            "16777217.00000000000001",
        ]
        var random = SeededGenerator(seed: 19)
        for _ in 0..<20_000 {
            // Close to the middle of two neighbours, closer than a `Double` can represent.
            let low = Float(bitPattern: UInt32.random(in: 0x3F80_0000..<0x4B00_0000, using: &random))
            let middle = (Double(low) + Double(low.nextUp)) / 2
            texts.append("\(middle)" + (random.oneIn(2) ? "000000000000000000001" : ""))
        }
        texts += ["1e-45", "7e-46", "1.1754942e-38", "3.4028235e38", "-3.4028235677973366e38", "1e-400", "-0"]
        let numbers = try JSON.decode([Float].self, from: JSONBytes("[" + texts.joined(separator: ",") + "]"))
        try #require(numbers.count == texts.count)
        for (text, number) in zip(texts, numbers) { #expect(number.bitPattern == Float(text)?.bitPattern, "\(text)") }
        #expect(numbers[0] != Float(Double(texts[0]) ?? 0))
        for text in ["3.4028236e38", "1e39", "-1e400"] {
            let issue = try #require(failure(Float.self, text).first)
            #expect(issue.code == .outOfRange)
            #expect(issue.expected.hasSuffix("(Float)"))
        }
    }
}
