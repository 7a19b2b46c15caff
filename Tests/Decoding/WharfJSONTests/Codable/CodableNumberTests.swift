import Testing
import WharfJSON

/// Numbers in all forms as `CodableJSONDecoder` reads them, compared with the standard library.
@Suite struct CodableNumberTests {
    /// Forms with about as many digits as 64 bits hold, with a point, an exponent, both, and a
    /// sign.
    private static let forms: [String] = {
        var forms: [String] = []
        for digits in ["1", "12345678901234567890123", "99999999999999999999999", "18446744073709551617000"] {
            for count in 1...digits.count {
                let digits = digits.prefix(count)
                forms += ["\(digits)", "\(digits)e0", "\(digits)e5", "\(digits)E+1", "\(digits)e-3", "-\(digits)e-25"]
                forms += ["\(digits).0", "\(digits).5e2", "0.\(digits)", "0.\(digits)e+22", "-0.000\(digits)e-2"]
                forms += ["1.\(digits)e3", "\(digits).\(digits)"]
            }
        }
        return forms
    }()

    @Test func doubleOfAnyLengthMatchesStandardLibrary() throws {
        let read = try CodableJSONDecoder().decode([Double].self, from: document(Self.forms))
        try #require(read.count == Self.forms.count)
        for (text, number) in zip(Self.forms, read) {
            #expect(number.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    @Test func floatOfAnyLengthMatchesStandardLibrary() throws {
        let read = try CodableJSONDecoder().decode([Float].self, from: document(Self.forms))
        try #require(read.count == Self.forms.count)
        for (text, number) in zip(Self.forms, read) { #expect(number.bitPattern == Float(text)?.bitPattern, "\(text)") }
    }

    @Test func integerOfAnyLengthMatchesDirectReader() throws {
        // The reader itself is tested against the standard library elsewhere.
        for text in Self.forms {
            let direct = try? JSON.decode(Int128.self, from: text)
            #expect((try? CodableJSONDecoder().decode(Int128.self, from: Array(text.utf8))) == direct, "\(text)")
            let narrow = try? JSON.decode(Int64.self, from: text)
            #expect((try? CodableJSONDecoder().decode(Int64.self, from: Array(text.utf8))) == narrow, "\(text)")
        }
    }

    private func document(_ texts: [String]) -> [UInt8] { Array("[\(texts.joined(separator: ","))]".utf8) }
}
