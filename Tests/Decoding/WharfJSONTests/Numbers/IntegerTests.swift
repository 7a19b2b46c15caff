import Testing
import WharfChecks
import WharfJSON

@Suite struct IntegerTests {
    enum Width: CaseIterable, Sendable {
        case int8, int16, int32, int64, int128, int, uint8, uint16, uint32, uint64, uint128, uint

        var type: any (FixedWidthInteger & JSONCodable).Type {
            switch self {
            case .int8: Int8.self
            case .int16: Int16.self
            case .int32: Int32.self
            case .int64: Int64.self
            case .int128: Int128.self
            case .int: Int.self
            case .uint8: UInt8.self
            case .uint16: UInt16.self
            case .uint32: UInt32.self
            case .uint64: UInt64.self
            case .uint128: UInt128.self
            case .uint: UInt.self
            }
        }
    }

    @Test(arguments: Width.allCases) func theLimitsAreReadAndOneBeyondIsOutOfRange(_ width: Width) throws {
        func check<Number: FixedWidthInteger & JSONCodable>(_ type: Number.Type) throws {
            for number in [
                Number.min, .max, 0, 1, Number.min + 1, Number.max - 1, Number.max / 10, Number.max / 10 + 1,
            ] {
                for text in [
                    "\(number)", "\(number).0", number == 0 ? "0e-1" : "\(number)0e-1", "\(number)e0",
                    "\(number).000E+0", number == 0 ? "0.0e-2" : "\(number)00.0e-2",
                ] {
                    #expect(try JSON.decode(Number.self, from: text) == number, "\(text)")
                }
                #expect(try WharfJSONTests.text(number) == "\(number)")
            }
            #expect(try JSON.decode(Number.self, from: "-0") == 0)
            for text in [
                Self.next(Number.max.description), Self.beyond(Number.min), "1e40", "\(Number.max)0",
                "1" + "\(Number.max)",
            ] {
                let issues = failure(type, text)
                #expect(issues.map(\.code) == [.outOfRange], "\(text)")
                #expect(issues.first?.expected == "a whole number from \(Number.min) to \(Number.max) (\(Number.self))")
                #expect(issues.first?.found.hasPrefix("the number ") == true)
            }
        }
        try check(width.type)
    }

    /// The decimal text of the number plus one.
    private static func next(_ text: String) -> String {
        var digits = Array(text.utf8)
        for index in digits.indices.reversed() {
            if digits[index] != 0x39 {
                digits[index] += 1
                return String(decoding: digits, as: UTF8.self)
            }
            digits[index] = 0x30
        }
        return "1" + String(decoding: digits, as: UTF8.self)
    }

    private static func beyond<Number: FixedWidthInteger>(_ least: Number) -> String {
        least == 0 ? "-1" : "-" + next(String(least.description.dropFirst()))
    }

    @Test(arguments: [
        ("1.0", 1), ("1e3", 1000), ("12.50e1", 125), ("-12.50e1", -125), ("1E+2", 100), ("100e-2", 1), ("0e1", 0),
        ("-0.0", 0),
        ("0.0e99999999999", 0), ("0e-99999999999", 0), ("0.001e3", 1), ("1000000000000000000000e-21", 1), ("120", 120),
        ("1.27e2", 127), ("-128.0", -128), ("0.00000000000000000000000000000000127e35", 127),
    ])
    func integersInFractionOrExponentFormAreRead(_ text: String, _ number: Int) throws {
        #expect(try JSON.decode(Int.self, from: text) == number)
        #expect(try JSON.decode(Int128.self, from: text) == Int128(number))
        #expect(JSONNumber(text)?.integer(Int16.self) == Int16(number))
    }

    @Test(arguments: [
        "1.5", "1e-1", "12.51e1", "-0.5", "1e-99999999999", "0.1e0", "9007199254740992.5", "100000000000000000000.1",
    ])
    func aFractionIsAMismatch(_ text: String) throws {
        let issue = try #require(failure(Int.self, text).first)
        #expect(issue.code == .typeMismatch)
        #expect(issue.expected == "a whole number (Int)")
        #expect(failure(UInt8.self, text).map(\.code) == [.typeMismatch])
        #expect(JSONNumber(text)?.integer(Int128.self) == nil)
    }

    @Test func hugeExponentIsOutOfRange() {
        for text in ["1e999999999", "-1e99999999999999999999", "123456789e999999999999"] {
            #expect(failure(Int128.self, text).map(\.code) == [.outOfRange])
            #expect(failure(UInt8.self, text).map(\.code) == [.outOfRange])
        }
        #expect(failure(Int.self, String(repeating: "9", count: 100_000)).map(\.code) == [.outOfRange])
    }

    @Test func anyNumberOf64And128BitsIsReadBack() async throws {
        let half = Generator.int(in: 0...UInt64.max)
        let wide = Generator.zip(half, half, .int(in: 0...126)).map { high, low, shift in
            Int128(truncatingIfNeeded: UInt128(high) << 64 | UInt128(low)) >> Int128(shift)
        }
        try await forAll(wide, runs: 2_000) { wide in
            let long = Int64(truncatingIfNeeded: wide)
            let natural = UInt64(bitPattern: long)
            try readBack(wide)
            try readBack(long)
            try readBack(natural)
            let written = try text(natural)
            try require(written == natural.description, "\(natural) is written as \(written)")
            let integer = JSONNumber(wide.description)?.integer(Int128.self)
            try require(integer == wide, "a JSONNumber is \(integer?.description ?? "none")")
        }
    }

    private func readBack<Number: FixedWidthInteger & JSONCodable>(_ number: Number) throws {
        let read = try JSON.decode(Number.self, from: text(number))
        try require(read == number, "\(number) (\(Number.self)) was read as \(read)")
    }

    @Test(arguments: 1...20) func integersOfEveryDigitCountRoundTrip(_ count: Int) throws {
        for text in [String(repeating: "9", count: count), "1" + String(repeating: "0", count: count - 1)] {
            guard let number = UInt64(text) else { continue }
            #expect(try JSON.decode(UInt64.self, from: text) == number)
            #expect(try WharfJSONTests.text(number) == text)
            if let signed = Int64("-" + text) { #expect(try WharfJSONTests.text(signed) == "-" + text) }
        }
    }
}
