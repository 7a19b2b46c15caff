package import WharfCore

/// Rows and queries made at random, where stores and services must agree.
package enum QuerySamples {
    /// A field for each form that a value can have.
    package static let everyForm: [String: FieldValue] = [
        "null": .null, "least": FieldValue(Int64.min), "most": FieldValue(Int64.max), "real": FieldValue(-0.1),
        "huge": FieldValue(1e300), "infinite": FieldValue(-Double.infinity), "empty": FieldValue(""),
        "text": FieldValue("a\u{0}\"'%_\u{1F600}\u{FFFF}"),
    ]

    /// Values that a store takes for one another, or puts in the wrong order, if it is careless.
    package static let values: [FieldValue] = [
        .null, FieldValue(0 as Int64), FieldValue(1 as Int64), FieldValue(-1 as Int64),
        FieldValue(9_007_199_254_740_993 as Int64),
        FieldValue(9_007_199_254_740_992.0), FieldValue(Int64.max), FieldValue(Int64.min), FieldValue(9.3e18),
        FieldValue(-9.3e18), FieldValue(0.5), FieldValue(-0.5), FieldValue(Double.infinity),
        FieldValue(-Double.infinity),
        FieldValue(""), FieldValue("0"), FieldValue("1"), FieldValue("a"), FieldValue("A"), FieldValue("ab"),
        FieldValue("a\u{0}"),
        FieldValue("a\u{0}b"), FieldValue("\u{E9}"), FieldValue("e\u{301}"), FieldValue("\u{FFFF}"),
        FieldValue("\u{10FFFF}"),
        FieldValue("a%"), FieldValue("a_"), FieldValue("null"), FieldValue("(,)"), FieldValue("\"\\ +&=#"),
    ]

    private static let fields = ["a", "b", "c d", "é&="]
    private static let prefixes = ["", "a", "a%", "\u{E9}", "e", "\u{10FFFF}", "a\u{0}", "(", "\""]

    package static func fields(using random: inout some RandomNumberGenerator) -> [String: FieldValue] {
        var row: [String: FieldValue] = [:]
        for field in fields where Int.random(in: 0..<4, using: &random) > 0 { row[field] = value(using: &random) }
        return row
    }

    package static func query(using random: inout some RandomNumberGenerator) -> RowQuery {
        let sort = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            SortKey(field(using: &random), descending: Bool.random(using: &random))
        }
        var query = RowQuery(condition(using: &random), sort: sort)
        if Bool.random(using: &random) { query.limit = Int.random(in: 0...12, using: &random) }
        if Int.random(in: 0..<3, using: &random) == 0 {
            query.after = Cursor(
                values: sort.map { _ in value(using: &random) }, id: "\(Int.random(in: 0..<60, using: &random))"
            )
        }
        return query
    }

    package static func condition(depth: Int = 3, using random: inout some RandomNumberGenerator) -> Condition {
        let field = field(using: &random)
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .equal(field, value(using: &random))
        case 1, 2:
            return .ordered(
                field, Condition.Order.allCases.randomElement(using: &random) ?? .less, value(using: &random)
            )
        case 3:
            return .isIn(field, Set((0..<Int.random(in: 0...4, using: &random)).map { _ in value(using: &random) }))
        case 4: return .hasPrefix(field, prefixes.randomElement(using: &random) ?? "")
        case 5: return .not(condition(depth: depth - 1, using: &random))
        case let which:
            let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                condition(depth: depth - 1, using: &random)
            }
            return which == 6 ? .all(parts) : .any(parts)
        }
    }

    private static func field(using random: inout some RandomNumberGenerator) -> String {
        fields.randomElement(using: &random) ?? "a"
    }

    private static func value(using random: inout some RandomNumberGenerator) -> FieldValue {
        values.randomElement(using: &random) ?? .null
    }
}
