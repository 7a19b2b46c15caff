internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension EntityStoreLaws {
    static let queries: [Law<Subject>] = [
        // Many queries of the same rows, because a put costs more than a query.
        Law(
            "a query gives the same answer as its definition",
            for: .zip(.array(of: QuerySamples.fields, count: 0...60), .array(of: QuerySamples.query, count: 1...60)),
            runs: 16
        ) { subject, input in
            let store = try await subject.make()
            let rows = input.0.enumerated().map { row("\($0)", [UInt8($0)], fields: $1) }
            try await store.commit(rows.map { .put($0) })
            for query in input.1 {
                let expected = query.answer(rows, id: { $0.key.id }, fields: { $0.fields }).map(\.key.id)
                let found = try await store.rows(query, of: nil, kind: "note").map(\.key.id)
                try require(found == expected, "expected the ids \(expected), found \(found)")
            }
        },
        Law("a query sees one account and kind") { subject in
            let store = try await subject.make()
            try await store.commit([
                .put(row("1")), .put(row("2", account: Account("me"))), .put(row("3", kind: "draft")),
                .put(row("4", account: Account(""))),
            ])
            let nobodys = try await ids(store)
            try require(nobodys == ["1"], "nobody's notes were \(nobodys)")
            let mine = try await ids(store, account: Account("me"))
            try require(mine == ["2"], "an account's notes were \(mine)")
            let drafts = try await ids(store, kind: "draft")
            try require(drafts == ["3"], "another kind's rows were \(drafts)")
        },
        Law("pages read by cursor have each row once and in order") { subject in
            let store = try await subject.make()
            let rows = try QuerySamples.fields.samples(100).enumerated().map { row("\($0)", fields: $1) }
            try await store.commit(rows.map { .put($0) })
            for descending in [false, true] {
                var query = RowQuery(sort: [SortKey("a", descending: descending), SortKey("b")], limit: 7)
                let expected = RowQuery(sort: query.sort).answer(rows, id: { $0.key.id }, fields: { $0.fields })
                var seen: [String] = []
                while true {
                    let page = try await store.rows(query, of: nil, kind: "note")
                    seen += page.map(\.key.id)
                    guard let last = page.last, seen.count <= rows.count else { break }
                    query.after = query.cursor(id: last.key.id, last.fields)
                    // The position stays valid without the row.
                    try await store.commit([.remove(last.key)])
                }
                try require(seen == expected.map(\.key.id), "descending \(descending): the pages held \(seen)")
                try await store.commit(rows.map { .put($0) })
            }
        },
    ]
}
