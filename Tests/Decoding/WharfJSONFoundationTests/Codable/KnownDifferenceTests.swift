import Testing
import WharfJSON

/// Defects of Wharf do not count as known differences.
@Suite struct KnownDifferenceTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        /// The decoded document.
        let document: String
        /// The document for which Wharf's error would be correct. The error is paired with
        /// `document`.
        let blamed: String
        let isExplained: Bool
        var testDescription: String { "\(document), refused as \(blamed)" }
    }

    @Test(arguments: [
        Fault(document: "[01]", blamed: "[01]", isExplained: true),
        Fault(document: "[10]", blamed: "[01]", isExplained: false),
        Fault(document: "[1,]", blamed: "[1,]", isExplained: true),
        Fault(document: #"[",]"]"#, blamed: "[1,]", isExplained: false),
        Fault(document: #"["\x"]"#, blamed: #"["\x"]"#, isExplained: true),
        Fault(document: #"["\n"]"#, blamed: #"["\x"]"#, isExplained: false),
    ])
    func syntaxErrorIsExplainedOnlyIfGrammarRejects(fault: Fault) {
        let cause = cause { try CodableJSONDecoder().decode([String].self, from: Array(fault.blamed.utf8)) }
        #expect(cause?.code == .syntax)
        let pair = pair(fault.document, cause, ours: [])
        #expect(Self.explains(pair) == fault.isExplained)
    }

    @Test(arguments: [
        Fault(document: "[300]", blamed: "[300]", isExplained: true),
        Fault(document: "[127]", blamed: "[300]", isExplained: false),
        Fault(document: "[-128.0]", blamed: "[300]", isExplained: false),
        Fault(document: "[-12801e-2]", blamed: "[300]", isExplained: true),
        Fault(document: "[0.5e-400]", blamed: "[300]", isExplained: true),
        Fault(document: "[\"300\"]", blamed: "[300]", isExplained: false),
    ])
    func outOfRangeIsExplainedOnlyIfTypeCannotHoldIt(fault: Fault) {
        let cause = cause { try CodableJSONDecoder().decode([Int8].self, from: Array(fault.blamed.utf8)) }
        #expect(cause?.code == .outOfRange)
        #expect(Self.explains(pair(fault.document, cause, ours: ["Index 0 (0)"])) == fault.isExplained)
        // The path differs from that of the number.
        #expect(!Self.explains(pair(fault.document, cause, ours: ["Index 1 (1)"])))
    }

    @Test(arguments: ["[0e1]", "[-0.0E-7]", "[9223372036854775807.0]", "[-9223372036854775808e0]"])
    func numberReadByUsAloneIsExplainedOnlyByItsPlainForm(_ document: String) {
        #expect(Self.explains(pair(document, nil, ours: nil, isOurs: true)))
        #expect(!Self.explains(pair(document, nil, ours: nil, isOurs: false)))
        #expect(!Self.explains(pair(document + "]", nil, ours: nil, isOurs: true)))
    }

    private static func explains(_ pair: DecodingPair) -> Bool {
        KnownDifference.ofDecoding.contains { $0.matches(pair) }
    }

    /// A pair in which Foundation rejects the first element, once the number is replaced by another
    /// kind of value.
    private func pair(
        _ document: String, _ cause: JSONError?, ours: [String]?, isOurs: Bool = false
    ) -> DecodingPair {
        DecodingPair(
            document: Array(document.utf8), cause: cause, ours: ours.map { ("dataCorrupted", $0) },
            theirs: ("dataCorrupted", [])
        ) { _ in (isOurs, ("typeMismatch", ["Index 0 (0)"])) }
    }
}

@Suite struct ExactNumberTests {
    @Test(arguments: [
        ("0", "0"), ("-0.000e9", "-0"), ("12", "12"), ("1.20e1", "12"), ("1200e-2", "12"), ("-0.0012e4", "-12"),
        ("9007199254740993.0", "9007199254740993"), ("1e20", "100000000000000000000"), ("1.5", nil), ("15e-1", nil),
        ("1e-400", nil), ("1.0000000000000000000001", nil),
    ])
    func wholeNumberHasPlainText(_ text: String, _ expected: String?) throws {
        #expect(try #require(ExactNumber(text)).plainText == expected)
    }

    @Test(arguments: ["", "-", "01", "1.", ".5", "1e", "+1", "x", "\"1\"", "1 2", "[1]"])
    func malformedTextIsNoExactNumber(
        _ text: String
    ) {
        #expect(ExactNumber(text) == nil)
    }

    @Test(arguments: [
        ("127", "Int8", true), ("128", "Int8", false), ("-128", "Int8", true), ("-129", "Int8", false),
        ("-1", "UInt8", false), ("-0", "UInt8", true), ("255.0", "UInt8", true), ("25.6e1", "UInt8", false),
        ("18446744073709551615", "UInt64", true), ("18446744073709551616", "UInt64", false),
        ("1.7976931348623157e308", "Double", true), ("1.7976931348623159e308", "Double", false),
        ("1e-400", "Double", false), ("5e-324", "Double", true), ("0e-400", "Double", true), ("1e39", "Float", false),
        ("1", "Bool", nil),
    ])
    func exactNumberFitsTypeOnlyInItsRange(_ text: String, _ type: String, _ expected: Bool?) throws {
        #expect(try #require(ExactNumber(text)).fits(type) == expected)
    }
}
