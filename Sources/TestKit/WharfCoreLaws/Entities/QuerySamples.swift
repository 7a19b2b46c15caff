package import WharfChecks
package import WharfCore

/// Random rows and queries, for which stores and services must agree.
package enum QuerySamples {
    /// A field for each form of a value.
    package static let everyForm: [String: FieldValue] = [
        "null": .null, "least": FieldValue(Int64.min), "most": FieldValue(Int64.max), "real": FieldValue(-0.1),
        "huge": FieldValue(1e300), "infinite": FieldValue(-Double.infinity), "empty": FieldValue(""),
        "text": FieldValue("a\u{0}\"'%_\u{1F600}\u{FFFF}"),
    ]

    /// Values that a careless store confuses or sorts in the wrong order.
    package static let values: [FieldValue] = [
        .null, FieldValue(0 as Int64), FieldValue(1 as Int64), FieldValue(-1 as Int64),
        // 2^53 + 1 and 2^53, which are equal as `Double`.
        FieldValue(9_007_199_254_740_993 as Int64),
        FieldValue(9_007_199_254_740_992.0), FieldValue(Int64.max), FieldValue(Int64.min), FieldValue(9.3e18),
        FieldValue(-9.3e18), FieldValue(0.5), FieldValue(-0.5), FieldValue(Double.infinity),
        FieldValue(-Double.infinity),
        FieldValue(""), FieldValue("0"), FieldValue("1"), FieldValue("a"), FieldValue("A"), FieldValue("ab"),
        FieldValue("a\u{0}"),
        FieldValue("a\u{0}b"), FieldValue("\u{E9}"), FieldValue("e\u{301}"), FieldValue("\u{FFFF}"),
        FieldValue("\u{10FFFF}"),
        FieldValue("Ab \u{C9}!a\u{301}b b-a"), FieldValue("\u{6771}\u{4EAC} ab1"),
        FieldValue("a%"), FieldValue("a_"), FieldValue("null"), FieldValue("(,)"), FieldValue("\"\\ +&=#"),
    ]

    private static let prefixes = ["", "a", "a%", "\u{E9}", "e", "\u{10FFFF}", "a\u{0}", "(", "\""]

    private static let searches = ["", "a", "AB", "b a", "e", "\u{4EAC}", "a\"b", "ab1 a", "x", "a*", "NOT a"]

    private static let field = Generator.element(of: ["a", "b", "c d", "é&="])
    private static let value = Generator.element(of: values)

    /// The fields of a row. Any of them may be missing.
    package static let fields = Generator.array(of: .zip(field, value), count: 0...6).map { pairs in
        Dictionary(pairs) { first, _ in first }
    }

    package static let query = Generator { choices in
        let condition = try choices.draw(condition(depth: 3))
        let sort = try choices.draw(
            .array(of: Generator.zip(field, .bool).map { SortKey($0, descending: $1) }, count: 0...3))
        var query = RowQuery(condition, sort: sort)
        query.limit = try choices.draw(.optional(.int(in: 0...12)))
        let cursor = Generator { choices in
            let values = try choices.draw(.array(of: value, count: sort.count...sort.count))
            return Cursor(values: values, id: "\(try choices.draw(.int(in: 0...59)))")
        }
        query.after = try choices.draw(.frequency((2, .just(nil)), (1, cursor.map { $0 })))
        return query
    }

    private static func condition(depth: Int) -> Generator<Condition> {
        let order = Generator.element(of: Array(Condition.Order.allCases))
        let leaf: Generator<Condition> = .frequency(
            (1, .just(.always)), (2, Generator.zip(field, value).map { .equal($0, $1) }),
            (4, Generator.zip(field, order, value).map { .ordered($0, $1, $2) }),
            (2, Generator.zip(field, .array(of: value, count: 0...4)).map { .isIn($0, Set($1)) }),
            (2, Generator.zip(field, .element(of: prefixes)).map { .hasPrefix($0, $1) }),
            (2, Generator.zip(field, .element(of: searches)).map { .hasWords($0, SearchWords($1)) }))
        guard depth > 0 else { return leaf }
        let parts = Generator { choices in try choices.draw(.array(of: condition(depth: depth - 1), count: 0...3)) }
        let negated = Generator { choices in Condition.not(try choices.draw(condition(depth: depth - 1))) }
        return .frequency(
            (5, leaf), (1, negated),
            (1, parts.map { .all($0) }), (1, parts.map { .any($0) }))
    }
}
