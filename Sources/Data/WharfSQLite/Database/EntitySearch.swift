#if SQLite
internal import GRDB
internal import WharfCore

/// Runs a query on entities by walking an index.
///
/// In general that is the index of the first sort field, so rows come in the query's order.
struct EntitySearch {
    let db: Database
    let scope: Int64
    let names: [String: Int64]

    /// An index that is walked first, instead of that of the order.
    enum Start: Equatable {
        case field(String)
        /// The full-text index of a field.
        case words(SearchWords, name: Int64)
    }

    /// Returns the ids of the entities.
    ///
    /// It returns nil for a query that is too large for SQLite, or that searches a field without a
    /// full-text index.
    ///
    /// - Parameter few: if at most this many entities meet one of the conditions, they are
    ///   collected and sorted. Otherwise the index of the order is walked until the page is full.
    func ids(_ query: RowQuery, few: Int) throws -> [Int64]? {
        // Beyond SQLite's limits the caller filters all rows in memory.
        guard query.condition.isModest(), query.sort.count <= Self.mostSortKeys else { return nil }
        guard try unindexed(query.condition).isEmpty else { return nil }
        guard let (sql, text) = statement(query, from: try rarest(query, few: few)) else { return [] }
        return try db.uncachedQuery(sql) { row in
            try text.bind(to: row)
            var ids: [Int64] = []
            while try row.step() { ids.append(row.integer(0)) }
            return ids
        }
    }

    /// Far below SQLite's limit of 64 joined tables.
    private static let mostSortKeys = 16

    /// The searched fields that have no full-text index yet.
    func unindexed(_ condition: Condition) throws -> [Int64] {
        let searched = condition.searchedFields.compactMap { names[$0] }
        if searched.isEmpty { return [] }
        return try Set(searched).subtracting(WordTables(db: db).indexed()).sorted()
    }

    /// The most selective condition, if at most `few` entities meet it.
    ///
    /// SQLite's planner has no statistics to find it.
    private func rarest(_ query: RowQuery, few: Int) throws -> Start? {
        var found: (start: Start, count: Int64)?
        for part in query.condition.parts {
            var text = SearchText(names: names)
            guard let (start, rows) = rows(part, order: query.sort.first?.field, &text) else { continue }
            // A count stops at the best one so far: counting all matches would cost more than the
            // walk.
            let limit = min(Int64(few) + 1, found?.count ?? .max)
            let count = try db.uncachedQuery("SELECT count(*) FROM (\(rows) LIMIT \(limit))") { row in
                try text.bind(to: row)
                return try row.step() ? row.integer(0) : 0
            }
            // Equal to the limit means "at least as many", so the condition is not better.
            if count < limit { found = (start, count) }
        }
        return found?.start
    }

    /// The index rows that a condition needs; nil if only the index of the order helps.
    private func rows(
        _ condition: Condition, order: String?, _ text: inout SearchText
    ) -> (start: Start, sql: String)? {
        if case .hasWords(let field, let words) = condition {
            // Without words each text matches, so there is no index row to count.
            guard let name = names[field], !words.words.isEmpty else { return nil }
            return (.words(words, name: name), text.matches(words, name))
        }
        // A condition on the field of the order needs no other index.
        guard let field = condition.field, let name = names[field], field != order else { return nil }
        text.aliases[field] = "d"
        guard case .sql(let test) = text.clause(condition) else { return nil }
        return (.field(field), "SELECT 1 FROM field d WHERE d.name = \(name) AND \(test)")
    }

    /// Returns nil if nothing can match.
    ///
    /// - Parameter start: the index to walk first; nil for the index of the order.
    func statement(_ query: RowQuery, from start: Start? = nil) -> (sql: String, text: SearchText)? {
        var text = SearchText(names: names)
        var tables: [String] = []
        var tests: [String] = []
        // Each field is joined once. The first table is walked, and gives the entity of the others.
        func join(_ field: String) -> String? {
            guard let name = names[field] else { return nil }
            if let alias = text.aliases[field] { return alias }
            let alias = "s\(tables.count)"
            text.aliases[field] = alias
            if tables.isEmpty {
                tables.append("field \(alias)")
                tests.append("\(alias).name = \(name)")
            } else {
                tables.append("field \(alias) ON \(alias).entity = \(text.entity) AND \(alias).name = \(name)")
            }
            return alias
        }
        switch start {
        case nil: break
        case .field(let field): _ = join(field)
        case .words(let words, let name):
            tables = ["entity s0"]
            text.entity = "s0.id"
            tests = ["s0.id IN (\(text.matches(words, name)))"]
        }
        var order: [String] = []
        for key in query.sort {
            // A field that no entity has does not affect the order.
            guard let alias = join(key.field) else { continue }
            let direction = key.isDescending ? " DESC" : ""
            order += ["\(alias).rank\(direction)", "\(alias).value\(direction)"]
        }
        // Without an index to walk, the entities of the scope are walked themselves.
        if tables.isEmpty {
            tables = ["entity s0"]
            tests = ["s0.scope = \(scope)"]
            text.entity = "s0.id"
        }
        // The key breaks ties, so pages neither repeat nor skip a row.
        order.append("s0.key")
        var clauses = [text.clause(query.condition)]
        // The cursor is a condition and no offset: rows inserted before it must not shift the page.
        if let after = query.after { clauses.append(text.behind(after, query.sort[...], key: "s0.key")) }
        for clause in clauses {
            switch clause {
            case .always: continue
            case .never: return nil
            case .sql(let test): tests.append(test)
            }
        }
        // CROSS JOIN keeps the tables in this order: the first is walked, the others are looked up.
        var sql = "SELECT \(text.entity) FROM \(tables.joined(separator: " CROSS JOIN "))"
        sql += " WHERE \(tests.joined(separator: " AND ")) ORDER BY \(order.joined(separator: ", "))"
        if let limit = query.limit { sql += " LIMIT \(limit)" }
        return (sql, text)
    }
}

extension Condition {
    /// The terms of a conjunction.
    fileprivate var parts: [Condition] {
        if case .all(let conditions) = self { conditions.flatMap(\.parts) } else { [self] }
    }

    /// The field of a condition that its index answers.
    fileprivate var field: String? {
        switch self {
        case .equal(let field, _), .ordered(let field, _, _), .isIn(let field, _), .hasPrefix(let field, _): field
        case .hasWords, .all, .any, .not: nil
        }
    }

    /// The fields that the condition searches for words.
    var searchedFields: [String] {
        switch self {
        case .equal, .ordered, .isIn, .hasPrefix: []
        case .hasWords(let field, let words): words.words.isEmpty ? [] : [field]
        case .all(let parts), .any(let parts): parts.flatMap(\.searchedFields)
        case .not(let part): part.searchedFields
        }
    }
}

extension Condition {
    /// Whether the condition is within SQLite's limits.
    ///
    /// They are an expression depth of 100, 1,000 terms in a row, and 32,766 values.
    fileprivate func isModest() -> Bool {
        var values = 0
        var leaves = 0
        func measure(_ condition: Condition, depth: Int) -> Bool {
            // Checked on the way down, so a condition of any size is measured in bounded time.
            guard depth <= 16, leaves <= 200, values <= 10_000 else { return false }
            switch condition {
            case .equal, .ordered, .hasPrefix: leaves += 1
            case .isIn(_, let set):
                leaves += 1
                values += set.count
            case .hasWords(_, let words):
                leaves += max(1, words.words.count)
            case .all(let parts), .any(let parts): return parts.allSatisfy { measure($0, depth: depth + 1) }
            case .not(let part): return measure(part, depth: depth + 1)
            }
            return true
        }
        return measure(self, depth: 0) && leaves <= 200 && values <= 10_000
    }
}
#endif
