internal import WharfCore

extension EntityStoreLaws {
    static let changes: [Law<Subject>] = [
        Law("a commit after the subscription is heard of, and what came before it is not") { subject in
            let store = try await subject.make()
            try await store.commit([.put(row("before"))])
            let changes = store.changes(of: nil, kind: "note")
            try await store.commit([.put(row("x")), .remove(row("before").key)])
            let first = await next(changes)
            try require(
                first == .keys([row("x").key, row("before").key]) || first == .all,
                "heard of \(String(describing: first))")
        },
        Law("what a slow reader missed is joined into one") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: nil, kind: "note")
            for id in 0..<20 { try await store.commit([.put(row("\(id)"))]) }
            let first = await next(changes)
            let expected = Set((0..<20).map { row("\($0)").key })
            try require(first == .keys(expected) || first == .all, "heard of \(String(describing: first))")
        },
        Law("who reads one account and kind hears of no other") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: Account("me"), kind: "note")
            try await store.commit([
                .put(row("1")), .put(row("2", account: Account("you"))), .put(row("3", kind: "draft")),
            ])
            try await store.removeAll(of: Account("you"))
            try await store.commit([.put(row("mine", account: Account("me")))])
            let first = await next(changes)
            try require(
                first == .keys([row("mine", account: Account("me")).key]), "heard of \(String(describing: first))")
        },
        Law("the removal of an account is heard of") { subject in
            let store = try await subject.make()
            try await store.commit([.put(row("x", account: Account("me")))])
            let changes = store.changes(of: Account("me"), kind: "note")
            try await store.removeAll(of: Account("me"))
            let first = await next(changes)
            try require(
                first == .all || first == .keys([row("x", account: Account("me")).key]),
                "heard of \(String(describing: first))")
        },
        Law("reading after each change ends with what is there") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: nil, kind: "note")
            let last = try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for step in 0..<25 { try await store.commit([.put(row("\(writer)", [UInt8(step)]))]) }
                    }
                }
                var seen: [[UInt8]] = []
                while await next(changes) != nil {
                    seen = try await store.rows(RowQuery(), of: nil, kind: "note").map(\.bytes)
                    if seen == Array(repeating: [24], count: 4) { break }
                }
                try await group.waitForAll()
                return seen
            }
            try require(last == Array(repeating: [24], count: 4), "the last that was seen is \(last)")
        },
    ]

    /// nil when nothing is heard for so long that nothing will be: a law ends also for a store that tells nobody.
    private static func next(_ changes: EntityChanges) async -> EntityChanges.Element? {
        await withTaskGroup(of: EntityChanges.Element?.self) { group in
            group.addTask {
                var iterator = changes.makeAsyncIterator()
                return await iterator.next(isolation: nil)
            }
            group.addTask {
                // Cut short by the cancellation below whenever something is heard.
                try? await Task.sleep(for: .seconds(10))
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
