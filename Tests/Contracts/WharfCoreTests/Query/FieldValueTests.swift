import Testing
import WharfCore

@Suite struct FieldValueTests {
    /// In order: each value is less than all that follow.
    private static let ascending: [FieldValue] = [
        .null, FieldValue(-Double.infinity), FieldValue(-1e300), FieldValue(-9.3e18), FieldValue(Int64.min),
        FieldValue(Int64.min + 1), FieldValue(-1.5), FieldValue(-1 as Int64), FieldValue(-0.5), FieldValue(0 as Int64),
        FieldValue(Double.leastNonzeroMagnitude), FieldValue(0.5), FieldValue(1 as Int64),
        FieldValue(9_007_199_254_740_992 as Int64),
        FieldValue(9_007_199_254_740_993 as Int64), FieldValue(Int64.max - 1), FieldValue(Int64.max),
        FieldValue(9_223_372_036_854_775_808.0), FieldValue(Double.infinity), FieldValue(""), FieldValue("A"),
        FieldValue("a"), FieldValue("a\u{0}"), FieldValue("ab"), FieldValue("e\u{301}"), FieldValue("\u{E9}"),
        FieldValue("\u{FFFF}"), FieldValue("\u{10000}"),
    ]

    @Test func valuesHaveATotalOrder() {
        for (i, a) in Self.ascending.enumerated() {
            for (j, b) in Self.ascending.enumerated() {
                #expect((a < b) == (i < j), "\(a) < \(b)")
                #expect((a == b) == (i == j), "\(a) == \(b)")
            }
        }
    }

    @Test func equalNumbersAreEqualAcrossTypes() {
        #expect(FieldValue(1.0) == FieldValue(1 as Int64))
        #expect(FieldValue(-0.0) == FieldValue(0 as Int64))
        #expect(FieldValue(1.0).hashValue == FieldValue(1 as Int64).hashValue)
        #expect(FieldValue(Double.nan).isNull)
        #expect(Optional<Int>.none.fieldValue.isNull)
        #expect(true.fieldValue == FieldValue(1 as Int64))
        #expect(Optional("x").fieldValue == FieldValue("x"))
    }
}
