package import WharfChecks
package import WharfCore
package import WharfStorage

extension EntityStoreLaws {
    package static let versions: [Law<Subject>] = [
        Law("the commits of an account are numbered in order and without gaps") { subject in
            let store = try await subject.make()
            let drawn = try await withThrowingTaskGroup(of: [StoreVersion].self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        var drawn: [StoreVersion] = []
                        for step in 0..<10 {
                            drawn.append(try await number(store, [.put(row("\(writer)-\(step)"))]))
                        }
                        return drawn
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for each in drawn { try require(each == each.sorted(), "a task's commits got the numbers \(each)") }
            let all = drawn.joined().sorted()
            try require(all == dense(from: all[0], 40), "40 commits at the same time got the numbers \(all)")
            var last = all[39]
            try await requireNext(&last, try await number(store, [.remove(row("0-0").key)]), "a removal")
            let both = try await store.commit(
                [.put(row("x")), .put(row("x", account: Account("me"))), .put(row("y"))], expecting: [:])
            let mine = try await store.states(of: [row("x", account: Account("me")).key])
            try await requireNext(&last, both.version(of: nil), "a commit to two accounts")
            try require(
                both.version(of: Account("me")) == mine.versions[Account("me")],
                "it got \(both), and the other account has \(mine.versions)")
            // A refused commit takes no number, or readers of a feed would wait for one that never
            // comes.
            _ = try await store.commit([.put(row("x"))], expecting: [row("x").key: StoreVersion(-1)])
            try await requireNext(&last, try await number(store, [.put(row("x"))]), "a commit after a refused one")
            try await requireNext(&last, try await store.removeAll(of: nil), "a purge")
            try await requireNext(&last, try await number(store, [.put(row("x"))]), "a commit after a purge")
            let version = try await store.states(of: [row("x").key]).versions[nil]
            try require(version == last, "the account has \(String(describing: version)) after \(last)")
        },
        Law("a row and a tombstone carry the version of their commit") { subject in
            let store = try await subject.make()
            let first = try await number(store, [.put(row("x")), .put(row("y")), .put(row("z"))])
            let second = try await number(store, [.put(row("y", [2]))])
            let third = try await number(store, [.remove(row("x").key), .remove(row("never").key)])
            let last = try await number(store, [.put(row("other"))])
            let keys = ["x", "y", "z", "never"].map { row($0).key }
            let found = try await store.states(of: keys)
            try require(found.versions == [nil: last], "the account had \(found.versions) after \(last)")
            let expected = [
                keys[0]: EntityState(row: nil, version: third),
                keys[1]: EntityState(row: row("y", [2]), version: second),
                keys[2]: EntityState(row: row("z"), version: first), keys[3]: EntityState(row: nil, version: third),
            ]
            for (key, state) in expected {
                try require(found[key] == state, "expected \(brief(state)) for \(key.id), found \(brief(found[key]))")
            }
            let list = try await store.states(RowQuery(), of: nil, kind: "note")
            let versions = Dictionary(uniqueKeysWithValues: list.states.map { ($0.row?.key.id ?? "", $0.version) })
            try require(
                list.version == last && versions == ["other": last, "y": second, "z": first],
                "at \(list.version) a query had the versions \(versions)")
        },
        Law("versions survive reopening") { subject in
            guard let reopen = subject.reopen else { return }
            let store = try await subject.make()
            try await store.commit([.put(row("x")), .put(row("y"))], expecting: [:])
            try await store.commit([.remove(row("x").key)], expecting: [:])
            try await store.commit([.put(row("gone", account: Account("me")))], expecting: [:])
            try await store.removeAll(of: Account("me"))
            let keys = [row("x").key, row("y").key, row("gone", account: Account("me")).key]
            let before = try await store.states(of: keys)
            let again = try await reopen(store)
            // Another law checks for lost rows.
            guard try await again.row(keys[1]) != nil else { return }
            let after = try await again.states(of: keys)
            try require(
                after == before, "before \(before.states.mapValues(brief)), after \(after.states.mapValues(brief))")
        },
        Law("a stale expectation is refused with the current states, and writes nothing") { subject in
            let store = try await subject.make()
            let seen = try await number(store, [.put(row("x", [1])), .put(row("y", [1]))])
            let later = try await number(store, [.put(row("x", [2]))])
            let (x, y, z) = (row("x").key, row("y").key, row("z").key)
            // One of two expectations is stale. The commit also puts a row that nothing was
            // expected of.
            let refused = try await store.commit([.put(row("x", [9])), .put(row("z"))], expecting: [x: seen, y: seen])
            try require(
                refused == .refused([x: EntityState(row: row("x", [2]), version: later)]), "it answered \(refused)")
            var rows = try await store.rows([x, y, z])
            try require(rows == [x: row("x", [2]), y: row("y", [1])], "it wrote \(rows.keys.map(\.id))")
            let taken = try await store.commit([.put(row("x", [9])), .remove(y)], expecting: [x: later, y: seen])
            try require(taken.version(of: nil) != nil, "what was current was refused: \(taken)")
            rows = try await store.rows([x, y])
            try require(rows == [x: row("x", [9])], "a commit with an expectation wrote \(rows.keys.map(\.id))")
            // The commit expects the key but does not change it.
            let looked = try await store.commit([.put(row("z"))], expecting: [x: later])
            guard case .refused(let states) = looked, states.keys.elementsEqual([x]) else {
                return try require(false, "a key that is not changed was not looked at: \(looked)")
            }
        },
        Law("concurrent increments by compare-and-set lose no update") { subject in
            let store = try await subject.make()
            let key = row("count").key
            try await store.commit([.put(row("count", [0]))])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 { group.addTask { for _ in 0..<8 { try await addOne(to: key, in: store) } } }
                try await group.waitForAll()
            }
            let sum = try await store.row(key)?.bytes
            try require(sum == [40], "40 commits added one, and the sum is \(String(describing: sum))")
        },
        Law("the versions of one account are independent of those of another") { subject in
            let store = try await subject.make()
            let (me, you) = (Account("me"), Account("you"))
            let mine = try await number(store, [.put(row("x", account: me))], of: me)
            for _ in 0..<5 { try await store.commit([.put(row("x", account: you))]) }
            try await store.removeAll(of: nil)
            let state = try await store.state(of: row("x", account: me).key)
            try require(state.version == mine, "after commits of others it has \(brief(state)) in place of \(mine)")
            let outcome = try await store.commit(
                [.put(row("x", [2], account: me))], expecting: [row("x", account: me).key: mine])
            try require(outcome == .committed([me: mine.next]), "after commits of others it answered \(outcome)")
        },
        Law("after a purge every earlier expectation is refused") { subject in
            let store = try await subject.make()
            let (x, never) = (row("x").key, row("never").key)
            try await store.commit([.put(row("x"))])
            let before = try await store.states(of: [x, never])
            let purge = try await store.removeAll(of: nil)
            // A version of a row, of a row that never was, and of no row at all.
            for expected in [[x: before[x]!.version], [never: before[never]!.version], [never: .none]] {
                let outcome = try await store.commit([.put(row("late"))], expecting: expected)
                guard case .refused(let states) = outcome else {
                    return try require(false, "an expectation of \(expected.values) was taken after \(purge)")
                }
                try require(
                    states.values.allSatisfy { $0 == EntityState(row: nil, version: purge) },
                    "it refused with \(states.values.map(brief)) after \(purge)")
            }
            let outcome = try await store.commit([.put(row("x"))], expecting: [x: purge])
            try require(outcome.version(of: nil) != nil, "the expectation of the purge answered \(outcome)")
        },
        Law("an expectation from before a pruned tombstone is refused") { subject in
            guard let bound = subject.tombstones else { return }
            let store = try await subject.make()
            let x = row("x").key
            let seen = try await number(store, [.put(row("x"))])
            try await store.commit([.remove(x)])
            // As many tombstones as the store keeps, so that the one of "x" is pruned.
            let removed = try await number(store, (0..<bound).map { .remove(row("\($0)").key) })
            let state = try await store.state(of: x)
            try require(
                state.row == nil && state.version > seen && state.version <= removed,
                "after it was removed it is \(brief(state)), and was seen at \(seen)")
            let outcome = try await store.commit([.put(row("x"))], expecting: [x: seen])
            guard case .refused = outcome else { return try require(false, "a late answer came back: \(outcome)") }
        },
    ]

    // MARK: What the laws are written in

    static func number(
        _ store: any EntityStore, _ changes: [EntityChange], of account: Account? = nil
    ) async throws -> StoreVersion {
        let outcome = try await store.commit(changes, expecting: [:])
        guard let version = outcome.version(of: account) else {
            try require(false, "a commit that expects nothing answered \(outcome)")
            return .none
        }
        return version
    }

    static func dense(from first: StoreVersion, _ count: Int64) -> [StoreVersion] {
        (0..<count).map { StoreVersion(first.number + $0) }
    }

    private static func requireNext(_ last: inout StoreVersion, _ version: StoreVersion?, _ what: String) async throws {
        try require(version == last.next, "after \(last) \(what) got \(String(describing: version))")
        last = last.next
    }

    /// Reads, computes and commits, and repeats this if another commit comes first.
    package static func addOne(to key: EntityKey, in store: any EntityStore) async throws {
        var state = try await store.state(of: key)
        while true {
            var row = state.row ?? EntityRow(key: key, bytes: [0], asOf: WallTime(nanoseconds: 1))
            row.bytes[0] += 1
            let outcome = try await store.commit([.put(row)], expecting: [key: state.version])
            guard case .refused(let current) = outcome else { return }
            guard let now = current[key] else { return try require(false, "refused without a state: \(current)") }
            state = now
        }
    }

    static func brief(_ state: EntityState?) -> String {
        guard let state else { return "nothing" }
        return "\(state.row.map { "\($0.bytes.prefix(8))" } ?? "no row") at \(state.version)"
    }
}
