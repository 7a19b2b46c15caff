internal import WharfChecks
package import WharfCore
package import WharfStorage

extension EntityStoreLaws {
    static let changes: [Law<Subject>] = [
        Law("a feed from now tells commits made after it, and none made before") { subject in
            let store = try await subject.make()
            try await store.commit([.put(row("before")), .put(row("gone"))])
            let changes = store.changes(of: nil, kind: "note", since: nil)
            try await store.commit([.put(row("x")), .remove(row("gone").key)])
            let first = reported(changes)
            try require(
                first == .keys([row("x").key, row("gone").key]) || first == .all,
                "heard of \(String(describing: first))")
        },
        Law("a feed from now joins the commits that a slow reader missed") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: nil, kind: "note", since: nil)
            // The reader takes nothing meanwhile, as one that is busy.
            for id in 0..<20 { try await store.commit([.put(row("\(id)"))]) }
            let first = reported(changes)
            let expected = Set((0..<20).map { row("\($0)").key })
            try require(first == .keys(expected) || first == .all, "heard of \(String(describing: first))")
        },
        Law("a feed of one account and kind tells no other") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: Account("me"), kind: "note", since: nil)
            try await store.commit([
                .put(row("1")), .put(row("2", account: Account("you"))),
                .put(row("3", account: Account("me"), kind: "draft")),
            ])
            try await store.removeAll(of: Account("you"))
            try await store.commit([.put(row("mine", account: Account("me")))])
            let first = reported(changes)
            let mine = ReportedKeys.keys([row("mine", account: Account("me")).key])
            try require(first == mine, "heard of \(String(describing: first))")
            // The log has the commits of all kinds.
            let pages = ["1", "2"].map { row($0, account: Account("me"), kind: "page") }
            let since = try await number(store, [.put(pages[0])], of: Account("me"))
            try await store.commit([.put(row("mine", account: Account("me")))])
            try await store.commit([.put(pages[1])])
            let resumed = await next(store.changes(of: Account("me"), kind: "note", since: since))?.reported
            try require(resumed == mine, "since \(since) it told \(String(describing: resumed))")
        },
        Law("a feed from now tells the removal of its account") { subject in
            let store = try await subject.make()
            try await store.commit([.put(row("x", account: Account("me")))])
            let changes = store.changes(of: Account("me"), kind: "note", since: nil)
            try await store.removeAll(of: Account("me"))
            let first = reported(changes)
            try require(
                first == .all || first == .keys([row("x", account: Account("me")).key]),
                "heard of \(String(describing: first))")
        },
        Law("a feed from now misses none of several concurrent commits") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: nil, kind: "note", since: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for step in 0..<25 { try await store.commit([.put(row("\(writer)-\(step)"))]) }
                    }
                }
                try await group.waitForAll()
            }
            let first = reported(changes)
            let expected = Set(try await store.rows(RowQuery(), of: nil, kind: "note").map(\.key))
            try require(expected.count == 100, "\(expected.count) of 100 rows are there")
            try require(first == .keys(expected) || first == .all, "heard of \(String(describing: first))")
        },
    ]

    /// Takes the keys that a feed has reported so far; nil if there are none.
    ///
    /// These are the changes of all commits before the call.
    package static func reported(_ feed: EntityFeed) -> ReportedKeys? {
        var keys: ReportedKeys?
        feed.takePending { pending in
            keys = if case .changes(let changes) = pending { .keys(Set(changes.keys)) } else { .all }
        }
        return keys
    }
}

/// The keys of an element of a feed, without their versions.
package enum ReportedKeys: Hashable, Sendable {
    case keys(Set<EntityKey>)
    case all
}

extension EntityFeed.Element {
    /// The keys, without their versions.
    package var reported: ReportedKeys {
        if case .changes(let changes, _) = self { .keys(Set(changes.keys)) } else { .all }
    }
}
