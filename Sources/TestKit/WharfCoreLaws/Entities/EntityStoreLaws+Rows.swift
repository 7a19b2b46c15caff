internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension EntityStoreLaws {
    static let rows: [Law<Subject>] = [
        Law("a row comes back as it was put") { subject in
            let store = try await subject.make()
            for bytes in [[], [0], Array(0...255), [UInt8](repeating: 7, count: 100_000)] as [[UInt8]] {
                for asOf in [WallTime(nanoseconds: 0), .distantPast, .distantFuture] {
                    var row = row("x", bytes, fields: QuerySamples.everyForm)
                    row.asOf = asOf
                    row.staleAt = bytes.isEmpty ? nil : asOf
                    row.validator = bytes.isEmpty ? nil : bytes.count == 1 ? "" : "\"\u{E9}-\(bytes.count)\""
                    row.schema = Int(bytes.count) - 1
                    try await store.commit([.put(row)])
                    let found = try await store.row(row.key)
                    try require(found == row, "put \(brief(row)), found \(brief(found))")
                    let listed = try await store.rows(RowQuery(), of: nil, kind: "note")
                    try require(listed == [row], "a query gave \(listed.map(brief))")
                }
            }
        },
        Law("a row that was never put is nil, and no error") { subject in
            let store = try await subject.make()
            try require(try await store.row(row("x").key) == nil, "an empty store had a row")
            try await store.commit([.remove(row("x").key)])
            try await store.commit([])
            try await store.removeAll(of: nil)
            try require(try await ids(store).isEmpty, "an empty store had rows")
        },
        Law("rows are found by their keys, and missing keys are left out") { subject in
            let store = try await subject.make()
            let put = (0..<50).map { row("\($0)", [UInt8($0)], fields: QuerySamples.everyForm) }
            try await store.commit(put.map(EntityChange.put) + [.put(row("7", account: Account("ann")))])
            let keys = put.map(\.key) + [row("none").key, row("7", account: Account("bob")).key, put[3].key]
            let found = try await store.rows(keys)
            try require(found.count == 50, "found \(found.count) of 50")
            for row in put { try require(found[row.key] == row, "put \(brief(row)), found \(brief(found[row.key]))") }
            try require(try await store.rows([]).isEmpty, "no keys had rows")
        },
        Law("a put replaces the earlier row with all its fields") { subject in
            let store = try await subject.make()
            try await store.commit([.put(row("x", [1], fields: ["a": FieldValue("old"), "b": FieldValue(1 as Int64)]))])
            try await store.commit([.put(row("x", [2], fields: ["a": FieldValue("new")]))])
            let found = try await store.row(row("x").key)
            try require(found == row("x", [2], fields: ["a": FieldValue("new")]), "found \(brief(found))")
            for (field, value) in [("a", FieldValue("old")), ("b", FieldValue(1 as Int64))] {
                let stale = try await store.rows(RowQuery(.equal(field, value)), of: nil, kind: "note")
                try require(stale.isEmpty, "a query by the old \(field) found it")
            }
        },
        Law("the later of two changes of one key in a commit counts") { subject in
            let store = try await subject.make()
            try await store.commit([.put(row("x", [1])), .put(row("x", [2])), .put(row("y")), .remove(row("y").key)])
            try require(try await store.row(row("x").key)?.bytes == [2], "the first of two puts counted")
            try require(try await store.row(row("y").key) == nil, "a put counted that was taken back")
            // The other order: a removal followed by a put.
            try await store.commit([.remove(row("x").key), .put(row("x", [3]))])
            try require(try await store.row(row("x").key)?.bytes == [3], "a removal counted that a put follows")
        },
        Law("keys that look alike are different") { subject in
            let store = try await subject.make()
            for (index, key) in differentKeys.enumerated() {
                try await store.commit([
                    .put(EntityRow(key: key, bytes: [UInt8(index)], asOf: WallTime(nanoseconds: 1)))
                ])
            }
            for (index, key) in differentKeys.enumerated() {
                let found = try await store.row(key)
                try require(found?.bytes == [UInt8(index)], "\(key) held \(brief(found)) in place of [\(index)]")
                try require(found?.key == key, "\(key) came back as \(String(describing: found?.key))")
            }
        },
        Law("removing an account removes its rows, and nothing else") { subject in
            for account in [nil, Account(""), Account("1")] {
                let store = try await subject.make()
                try await store.commit(
                    differentKeys.map { .put(EntityRow(key: $0, bytes: [1], asOf: WallTime(nanoseconds: 1))) })
                try await store.removeAll(of: account)
                for key in differentKeys {
                    let isThere = try await store.row(key) != nil
                    try require(
                        isThere == (key.account != account),
                        "after removing \(String(describing: account)), \(key) was \(isThere ? "there" : "gone")"
                    )
                }
            }
        },
        Law("a commit is visible as a whole or not at all") { subject in
            let store = try await subject.make()
            let keys = (0..<8).map { row("\($0)").key }
            @Sendable func commit(_ value: UInt8) async throws {
                try await store.commit(
                    keys.map { .put(EntityRow(key: $0, bytes: [value], asOf: WallTime(nanoseconds: 1))) })
            }
            try await commit(0)
            try await withReaders(3) {
                let seen = try await store.rows(RowQuery(), of: nil, kind: "note").map(\.bytes)
                try require(Set(seen).count == 1 && seen.count == 8, "one query saw \(seen)")
            } while: {
                // A store that writes row by row shows two values in one query.
                for value in 1...50 { try await commit(UInt8(value)) }
            }
        },
        Law("committed rows survive reopening") { subject in
            guard let reopen = subject.reopen else { return }
            let store = try await subject.make()
            try await store.commit([.put(row("x", [1], fields: QuerySamples.everyForm)), .put(row("y"))])
            try await store.commit([.remove(row("y").key)])
            let again = try await reopen(store)
            let found = try await again.rows(RowQuery(), of: nil, kind: "note")
            try require(found == [row("x", [1], fields: QuerySamples.everyForm)], "found \(found.map(brief))")
        },
    ]

    private static func brief(_ row: EntityRow?) -> String {
        guard let row else { return "nothing" }
        return "\(row.bytes.count) bytes \(row.bytes.prefix(8)), schema \(row.schema), as of \(row.asOf), \(row.fields)"
    }
}
