import Foundation
import GRDB
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage

@testable import WharfSQLite

/// SQLite and memory return the same answers. `WHARF_RUNS=N` makes a long run.
@Suite struct QueryTests {
    @Test func sqliteAnswersQueriesLikeMemory() async throws {
        let folder = try Scratch()
        let (asked, files) = (Box(0), Box(0))
        // `few` is the number of rows below which a query uses its most selective condition.
        // Otherwise it follows the order.
        let question = Generator.zip(QuerySamples.query, .int(in: 0...30))
        let round = Generator.zip(
            Generator.array(of: Self.change, count: 0...40), .array(of: question, count: 0...60))
        try await forAll(.array(of: round, count: 0...5), runs: 24) { rounds in
            files.change { $0 += 1 }
            let file = try await SQLiteDataFile.open(at: folder.path("\(files.value).sqlite"))
            let store = SQLiteEntityStore(file)
            var differences: [String] = []
            var rows: [EntityKey: EntityRow] = [:]
            for (changes, questions) in rounds {
                try await store.commit(changes)
                for change in changes {
                    switch change {
                    case .put(let row): rows[row.key] = row
                    case .remove(let key): rows[key] = nil
                    }
                }
                let kept = rows.values.filter { $0.key.kind == "note" }
                for (query, few) in questions {
                    let expected = query.answer(kept, id: { $0.key.id }, fields: { $0.fields })
                    // Only the store builds a full-text index.
                    if few % 2 == 0 { _ = try await store.rows(query, of: nil, kind: "note") }
                    let found = try await file.read("test") {
                        try EntityTables(db: $0).rows(query, nil, "note", few: few)
                    }
                    asked.change { $0 += 1 }
                    if found != expected {
                        differences.append("expected \(expected.map(\.key.id)), found \(found.map(\.key.id))")
                    }
                }
            }
            try await file.close()
            try require(differences.isEmpty, differences.first ?? "")
        }
        #expect(asked.value >= 1_000)
    }

    /// Puts, replaces and removes some of 60 ids. Ids sort differently from numbers, and texts
    /// contain zero bytes.
    private static let change = Generator<EntityChange> { choices in
        let id =
            try choices.draw(.element(of: ["", "a\0", "é", "\u{10FFFF}"])) + "\(try choices.draw(.int(in: 0...14)))"
        let kind = try choices.draw(.frequency((7, .just("note")), (1, .just("draft"))))
        let key = EntityKey(kind: kind, id: id)
        if try choices.draw(.frequency((3, .just(false)), (1, .just(true)))) { return .remove(key) }
        return .put(
            EntityRow(
                key: key, schema: try choices.draw(.int(in: 0...2)), bytes: [try choices.draw(.int(in: 0...255))],
                asOf: WallTime(nanoseconds: try choices.draw(.int(in: 0...99))),
                fields: try choices.draw(QuerySamples.fields)))
    }

    /// Conditions too large for SQLite's parser are answered too.
    @Test(arguments: largeConditions)
    func queriesOfAnySizeAreAnswered(condition: Condition) async throws {
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
            try await file.read("explain") { try Self.plan(rare, from: .field("b"), $0) } == [
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

    private static func plan(
        _ query: RowQuery, from start: EntitySearch.Start? = nil, _ db: Database
    ) throws -> [String] {
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
