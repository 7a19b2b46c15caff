#if SQLite
import Foundation
import GRDB
import Testing
import WharfCore
import WharfTesting

@testable import WharfSQLite

/// SQLite answers as memory does; `WHARF_QUERY_SEEDS=N` for a long run.
@Suite struct QueryTests {
    private static let seeds = Int(ProcessInfo.processInfo.environment["WHARF_QUERY_SEEDS"] ?? "") ?? 12

    @Test func answersRandomQueriesOfRandomRowsAsMemoryDoes() async throws {
        let folder = try Scratch()
        var asked = 0
        for seed in 1...UInt64(Self.seeds) {
            var random = SeededGenerator(seed: seed)
            let file = try await SQLiteDataFile.open(at: folder.path("\(seed).sqlite"))
            let store = SQLiteEntityStore(file)
            var rows: [EntityKey: EntityRow] = [:]
            for _ in 0..<5 {
                try await store.commit(Self.changes(of: &rows, using: &random))
                let kept = rows.values.filter { $0.key.kind == "note" }
                for _ in 0..<60 {
                    let query = QuerySamples.query(using: &random)
                    let expected = query.answer(kept, id: { $0.key.id }, fields: { $0.fields })
                    // By the rarest condition where there is one, and by the order.
                    let few = Int.random(in: 0...30, using: &random)
                    let found = try await file.read("test") {
                        try EntityTables(db: $0).rows(query, nil, "note", few: few)
                    }
                    asked += 1
                    if found != expected {
                        Issue.record("seed \(seed): \(query): \(expected.map(\.key.id)), found \(found.map(\.key.id))")
                        return
                    }
                }
            }
            try await file.close()
        }
        #expect(asked >= 3600 || Self.seeds < 12)
    }

    /// Puts, replaces and removes some of 60 ids, with ids that sort unlike numbers and texts that hold zero bytes.
    private static func changes(
        of rows: inout [EntityKey: EntityRow], using random: inout SeededGenerator
    ) -> [EntityChange] {
        (0..<40).map { _ in
            let id = ["", "a\0", "é", "\u{10FFFF}"][Int(random.next() % 4)] + "\(random.next() % 15)"
            let key = EntityKey(kind: random.next() % 8 == 0 ? "draft" : "note", id: id)
            if random.next() % 4 == 0 {
                rows[key] = nil
                return .remove(key)
            }
            let row = EntityRow(
                key: key, schema: Int(random.next() % 3), bytes: [UInt8(random.next() % 256)],
                asOf: WallTime(nanoseconds: Int64(random.next() % 100)), fields: QuerySamples.fields(using: &random)
            )
            rows[key] = row
            return .put(row)
        }
    }

    /// What SQLite can't parse is answered all the same.
    @Test(arguments: largeConditions)
    func answersQueriesOfAnySize(condition: Condition) async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path())
        let store = SQLiteEntityStore(file)
        let rows = (0..<50).map { index in
            EntityRow(
                key: EntityKey(kind: "note", id: "\(index)"), bytes: [], asOf: WallTime(nanoseconds: 0),
                fields: ["a": FieldValue(Int64(index)), "b": FieldValue(index % 2 == 0 ? "x" : "y")]
            )
        }
        try await store.commit(rows.map { .put($0) })
        let query = RowQuery(condition, sort: (0..<70).map { SortKey("\($0)") } + [SortKey("b", descending: true)])
        for sort in [[], [SortKey("b", descending: true)], query.sort] {
            let query = RowQuery(condition, sort: sort, limit: 7)
            let expected = query.answer(rows, id: { $0.key.id }, fields: { $0.fields })
            #expect(try await store.rows(query, of: nil, kind: "note") == expected)
        }
        try await file.close()
    }

    @Test func aPageWalksTheIndexOfItsField() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path())
        try await SQLiteEntityStore(file).commit([
            .put(
                EntityRow(
                    key: EntityKey(kind: "note", id: "1"), bytes: [], asOf: WallTime(nanoseconds: 0),
                    fields: ["a": FieldValue("1"), "b": FieldValue("2")]))
        ])
        for (query, expected) in [
            (
                RowQuery(sort: [SortKey("a")], limit: 50),
                ["SEARCH s0 USING PRIMARY KEY (name=?)"]
            ),
            (
                RowQuery(sort: [SortKey("a")], limit: 50, after: Cursor(values: [FieldValue("x")], id: "7")),
                ["SEARCH s0 USING PRIMARY KEY (name=? AND (rank,value)>(?,?))"]
            ),
            (
                RowQuery(.ordered("a", .less, FieldValue("x")), sort: [SortKey("a")], limit: 50),
                ["SEARCH s0 USING PRIMARY KEY (name=? AND rank=? AND value<?)"]
            ),
            (
                RowQuery(.equal("b", FieldValue("2")), sort: [SortKey("a")], limit: 50),
                [
                    "SEARCH s0 USING PRIMARY KEY (name=?)", "CORRELATED SCALAR SUBQUERY 1",
                    "SEARCH f USING COVERING INDEX field_entity (entity=? AND name=?)",
                ]
            ),
        ] {
            let plan = try await file.read("explain") { try Self.plan(query, $0) }
            #expect(plan == expected)
        }
        let rare = RowQuery(.equal("b", FieldValue("2")), sort: [SortKey("a")], limit: 50)
        #expect(
            try await file.read("explain") { try Self.plan(rare, from: "b", $0) } == [
                "SEARCH s0 USING PRIMARY KEY (name=? AND rank=? AND value=?)",
                "SEARCH s1 USING COVERING INDEX field_entity (entity=? AND name=?)", "USE TEMP B-TREE FOR ORDER BY",
            ])
        try await file.close()
    }

    private static let largeConditions: [Condition] = {
        func values(_ count: Int64, times step: Int64) -> [FieldValue] { (0..<count).map { FieldValue($0 * step) } }
        func nested(_ depth: Int64) -> Condition {
            var condition = Condition.hasPrefix("b", "x")
            for step in 0..<depth { condition = .not(.any([condition, .equal("a", FieldValue(step))])) }
            return condition
        }
        return [
            nested(7), nested(30), nested(300), .any(values(1500, times: 7).map { .equal("a", $0) }),
            .all(values(200, times: 2).map { .not(.equal("a", $0)) }), .isIn("a", Set(values(10_000, times: 3))),
            .isIn("a", Set(values(40_000, times: 3))),
        ]
    }()

    private static func plan(_ query: RowQuery, from start: String? = nil, _ db: Database) throws -> [String] {
        let tables = EntityTables(db: db)
        let scope = try #require(try tables.scope(nil, "note"))
        let search = EntitySearch(db: db, scope: scope, names: try tables.names(scope))
        let (sql, text) = try #require(search.statement(query, from: start))
        return try db.uncachedQuery("EXPLAIN QUERY PLAN " + sql) { row in
            try text.bind(to: row)
            var lines: [String] = []
            while try row.step() { lines.append(row.text(3)) }
            return lines
        }
    }
}
#endif
