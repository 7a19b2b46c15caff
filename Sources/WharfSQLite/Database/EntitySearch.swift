#if SQLite
internal import GRDB
internal import WharfCore

/// Finds the entities that a query asks for, in its order, by walking the index of the field that it is sorted by first.
struct EntitySearch {
    let db: Database
    let scope: Int64
    let names: [String: Int64]

    /// The numbers of the entities; nil for a query that is too large for SQLite.
    func ids(_ query: RowQuery) throws -> [Int64]? {
        guard query.condition.isModest(), query.sort.count <= Self.mostSortKeys else { return nil }
        guard let (sql, text) = statement(query) else { return [] }
        return try db.uncachedQuery(sql) { row in
            try text.bind(to: row)
            var ids: [Int64] = []
            while try row.step() { ids.append(row.integer(0)) }
            return ids
        }
    }

    /// Far below the 64 tables that SQLite joins.
    private static let mostSortKeys = 16

    /// Nil when nothing can match.
    func statement(_ query: RowQuery) -> (sql: String, text: SearchText)? {
        var text = SearchText(names: names)
        var tables: [String] = []
        var tests: [String] = []
        var order: [String] = []
        for key in query.sort {
            // A field that no entity has leaves the order as it is, and so does one that was sorted by before.
            guard let name = names[key.field], text.aliases[key.field] == nil else { continue }
            let alias = "s\(tables.count)"
            if tables.isEmpty {
                tables.append("field \(alias)")
                tests.append("\(alias).name = \(name)")
                text.entity = "\(alias).entity"
            } else {
                tables.append("field \(alias) ON \(alias).entity = s0.entity AND \(alias).name = \(name)")
            }
            text.aliases[key.field] = alias
            let direction = key.isDescending ? " DESC" : ""
            order += ["\(alias).rank\(direction)", "\(alias).value\(direction)"]
        }
        var key = "s0.key"
        if tables.isEmpty {
            tables = ["entity e"]
            tests = ["e.scope = \(scope)"]
            key = "e.key"
        }
        order.append(key)
        var clauses = [text.clause(query.condition)]
        if let after = query.after { clauses.append(text.behind(after, query.sort[...], key: key)) }
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
    /// Within what SQLite parses: 100 symbols deep, 1,000 terms in a row, 32,766 values.
    fileprivate func isModest() -> Bool {
        var values = 0
        var leaves = 0
        func measure(_ condition: Condition, depth: Int) -> Bool {
            guard depth <= 16, leaves <= 200, values <= 10_000 else { return false }
            switch condition {
            case .equal, .ordered, .hasPrefix: leaves += 1
            case .isIn(_, let set):
                leaves += 1
                values += set.count
            case .all(let parts), .any(let parts): return parts.allSatisfy { measure($0, depth: depth + 1) }
            case .not(let part): return measure(part, depth: depth + 1)
            }
            return true
        }
        return measure(self, depth: 0) && leaves <= 200 && values <= 10_000
    }
}
#endif
