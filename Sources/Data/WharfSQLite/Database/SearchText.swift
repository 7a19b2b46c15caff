#if SQLite
internal import WharfCore

/// The SQL text of a search under construction, with its numbered values.
struct SearchText {
    /// A part of a WHERE clause, or a constant result.
    enum Clause {
        case always, never
        case sql(String)

        init(_ isMet: Bool) { self = isMet ? .always : .never }
    }

    enum Value {
        case field(FieldValue)
        /// An exclusive upper bound of the texts with a prefix.
        case beyond(prefix: String)
        case words(SearchWords)
    }

    /// The alias under which a field is joined, by its name.
    var aliases: [String: String] = [:]
    /// The column of the entity's id.
    var entity = "s0.entity"
    private(set) var values: [Value] = []
    private let names: [String: Int64]

    init(names: [String: Int64]) { self.names = names }

    // MARK: Conditions

    mutating func clause(_ condition: Condition) -> Clause {
        switch condition {
        // Null equals a missing field: both have rank 0.
        case .equal(let field, let value):
            leaf(field, or: value.isNull) { text, row in text.equals(row, value) }
        case .ordered(let field, let order, let value):
            // Nothing is ordered before or after null.
            if value.isNull {
                .never
            } else {
                leaf(field, or: false) { text, row in
                    // The rank keeps the comparison within one type. SQLite would compare numbers
                    // with texts.
                    "\(row).rank = \(FieldColumn.rank(value)) AND \(row).value \(order.sql) \(text.number(value))"
                }
            }
        case .isIn(let field, let values):
            if values.isEmpty {
                .never
            } else {
                leaf(field, or: values.contains(.null)) { text, row in
                    let ranks = Set(values.map(FieldColumn.rank)).sorted().map { "\($0)" }.joined(separator: ", ")
                    let list = values.map { text.number($0) }.joined(separator: ", ")
                    // Two sets are exact: a value's rank follows from its type, and types never
                    // compare as equal.
                    return "\(row).rank IN (\(ranks)) AND \(row).value IN (\(list))"
                }
            }
        case .hasPrefix(let field, let prefix):
            leaf(field, or: false) { text, row in
                // A range instead of LIKE: LIKE ignores the case of ASCII letters and uses no index
                // here.
                let (from, to) = (text.number(FieldValue(prefix)), text.number(.beyond(prefix: prefix)))
                return "\(row).rank = 2 AND \(row).value >= \(from) AND \(row).value < \(to)"
            }
        case .hasWords(let field, let words):
            if words.words.isEmpty {
                // No words: each text matches.
                leaf(field, or: false) { _, row in "\(row).rank = 2" }
            } else if let name = names[field] {
                .sql("\(entity) IN (\(matches(words, name)))")
            } else {
                .never
            }
        case .all(let conditions): all(conditions.map { clause($0) })
        // De Morgan: OR is built from AND and NOT, so constants fold in one place.
        case .any(let conditions): inverted(all(conditions.map { inverted(clause($0)) }))
        case .not(let condition): inverted(clause(condition))
        }
    }

    /// - Parameter nullMatches: the result for a field that no entity has.
    private mutating func leaf(
        _ field: String, or nullMatches: Bool, _ body: (inout SearchText, String) -> String
    ) -> Clause {
        // No entity of the scope has the field, so its value is null for all of them.
        guard let name = names[field] else { return Clause(nullMatches) }
        // A joined field needs no subquery.
        if let alias = aliases[field] { return .sql("(\(body(&self, alias)))") }
        let test = body(&self, "f")
        return .sql("EXISTS (SELECT 1 FROM field f WHERE f.entity = \(entity) AND f.name = \(name) AND \(test))")
    }

    /// The entities whose field has words, for a field with a full-text index.
    mutating func matches(_ words: SearchWords, _ name: Int64) -> String {
        let table = WordTables.table(name)
        return "SELECT rowid FROM \(table) WHERE \(table) MATCH \(number(.words(words)))"
    }

    private func all(_ clauses: [Clause]) -> Clause {
        var parts: [String] = []
        for clause in clauses {
            switch clause {
            case .always: continue
            case .never: return .never
            case .sql(let text): parts.append(text)
            }
        }
        if parts.isEmpty { return .always }
        return .sql(parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " AND ")))")
    }

    private func inverted(_ clause: Clause) -> Clause {
        switch clause {
        case .always: .never
        case .never: .always
        case .sql(let text): .sql("NOT \(text)")
        }
    }

    // MARK: Places

    /// The clause for rows after a cursor.
    ///
    /// It compares the sort keys one by one, each in its direction, and the ids last.
    mutating func behind(_ cursor: Cursor, _ sort: ArraySlice<SortKey>, key: String) -> Clause {
        // The ids break ties, so the cursor is between two rows in any case.
        guard let first = sort.first else { return .sql("\(key) > \(number(FieldValue(cursor.id)))") }
        // A cursor of another sort order may have fewer values.
        let value = sort.startIndex < cursor.values.count ? cursor.values[sort.startIndex] : .null
        guard let row = aliases[first.field] else {
            // A field that no entity has is null for all rows. With a null cursor it decides
            // nothing.
            if value.isNull { return behind(cursor, sort.dropFirst(), key: key) }
            // Nulls come first in ascending order: all rows are before such a cursor, or behind it
            // in descending order.
            return Clause(first.isDescending)
        }
        let rank = FieldColumn.rank(value)
        let bound = number(value)
        let direction = first.isDescending ? "<" : ">"
        let rest = behind(cursor, sort.dropFirst(), key: key)
        switch rest {
        case .always: return .sql("(\(row).rank, \(row).value) \(direction)= (\(rank), \(bound))")
        case .never: return .sql("(\(row).rank, \(row).value) \(direction) (\(rank), \(bound))")
        case .sql(let rest):
            // The first line lets SQLite start at the cursor; the second is exact.
            return .sql(
                """
                ((\(row).rank, \(row).value) \(direction)= (\(rank), \(bound)) \
                AND ((\(row).rank, \(row).value) \(direction) (\(rank), \(bound)) OR \(rest)))
                """
            )
        }
    }

    // MARK: Values

    mutating func equals(_ row: String, _ value: FieldValue) -> String {
        "\(row).rank = \(FieldColumn.rank(value)) AND \(row).value = \(number(value))"
    }

    private mutating func number(_ value: FieldValue) -> String { number(.field(value)) }

    // Numbered parameters: one value may stand in several places of the text.
    private mutating func number(_ value: Value) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    func bind(to row: Query) throws {
        // The last values may belong to clauses that were folded away, so only the bound ones
        // count.
        for (index, value) in values.prefix(row.parameterCount).enumerated() {
            switch value {
            case .field(let value): try FieldColumn.bind(value, to: row, at: Int32(index + 1))
            case .beyond(let prefix): try row.bind(beyond: prefix, at: Int32(index + 1))
            case .words(let words): try row.bind(WordTables.match(words), at: Int32(index + 1))
            }
        }
    }
}

extension Condition.Order {
    fileprivate var sql: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
#endif
