internal import WharfChecks
internal import WharfCore

extension EntityStoreLaws {
    static let changes: [Law<Subject>] = [
        Law("a subscription tells commits made after it, and none made before") { subject in
            let store = try await subject.make()
            try await store.commit([.put(row("before")), .put(row("gone"))])
            let changes = store.changes(of: nil, kind: "note")
            try await store.commit([.put(row("x")), .remove(row("gone").key)])
            let first = await next(changes)
            try require(
                first == .keys([row("x").key, row("gone").key]) || first == .all,
                "heard of \(String(describing: first))")
        },
        Law("missed changes of a slow reader are joined into one") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: nil, kind: "note")
            for id in 0..<20 { try await store.commit([.put(row("\(id)"))]) }
            let first = await next(changes)
            let expected = Set((0..<20).map { row("\($0)").key })
            try require(first == .keys(expected) || first == .all, "heard of \(String(describing: first))")
        },
        Law("a subscription to one account and kind tells no other") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: Account("me"), kind: "note")
            try await store.commit([
                .put(row("1")), .put(row("2", account: Account("you"))),
                .put(row("3", account: Account("me"), kind: "draft")),
            ])
            try await store.removeAll(of: Account("you"))
            try await store.commit([.put(row("mine", account: Account("me")))])
            let first = await next(changes)
            try require(
                first == .keys([row("mine", account: Account("me")).key]), "heard of \(String(describing: first))")
        },
        Law("a subscription tells the removal of its account") { subject in
            let store = try await subject.make()
            try await store.commit([.put(row("x", account: Account("me")))])
            let changes = store.changes(of: Account("me"), kind: "note")
            try await store.removeAll(of: Account("me"))
            let first = await next(changes)
            try require(
                first == .all || first == .keys([row("x", account: Account("me")).key]),
                "heard of \(String(describing: first))")
        },
        Law("a subscription misses none of several concurrent commits") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: nil, kind: "note")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for step in 0..<25 { try await store.commit([.put(row("\(writer)-\(step)"))]) }
                    }
                }
                try await group.waitForAll()
            }
            let first = await next(changes)
            let expected = Set(try await store.rows(RowQuery(), of: nil, kind: "note").map(\.key))
            try require(expected.count == 100, "\(expected.count) of 100 rows are there")
            try require(first == .keys(expected) || first == .all, "heard of \(String(describing: first))")
        },
    ]

    /// Returns the changes reported so far; nil if there are none.
    ///
    /// These are the changes of all commits before the call. A cancelled reader does not wait for
    /// more.
    private static func next(_ changes: EntityChanges) async -> EntityChanges.Element? {
        let reader = Task {
            // Read only after the cancellation.
            while !Task.isCancelled { await Task.yield() }
            var iterator = changes.makeAsyncIterator()
            return await iterator.next(isolation: nil)
        }
        reader.cancel()
        return await reader.value
    }
}
