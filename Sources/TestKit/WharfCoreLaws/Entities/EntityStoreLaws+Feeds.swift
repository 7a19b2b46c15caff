internal import WharfChecks
internal import WharfCore
package import WharfStorage

extension EntityStoreLaws {
    static let feeds: [Law<Subject>] = [
        Law("a feed tells each commit, and joins those that a slow reader missed") { subject in
            let store = try await subject.make()
            let start = try await number(store, [.put(row("before")), .put(row("gone"))])
            let feed = store.changes(of: nil, since: start)
            var received = await next(feed)
            try require(received == nil, "after no commit it told \(String(describing: received))")
            for change in [EntityChange.put(row("x")), .remove(row("gone").key), .put(row("x"))] {
                let version = try await number(store, [change])
                let isRemoval = if case .remove = change { true } else { false }
                received = await next(feed)
                try require(
                    received == .changes([change.key: .init(version: version, isRemoval: isRemoval)], reached: version),
                    "of \(version) it told \(String(describing: received))")
            }
            let one = try await number(store, [.put(row("1")), .put(row("2"))])
            let two = try await number(store, [.put(row("1"))])
            let three = try await number(store, [.remove(row("x").key)])
            received = await next(feed)
            try require(
                received
                    == .changes(
                        [
                            row("1").key: .init(version: two, isRemoval: false),
                            row("2").key: .init(version: one, isRemoval: false),
                            row("x").key: .init(version: three, isRemoval: true),
                        ], reached: three), "a slow reader was told \(String(describing: received))")
        },
        Law("a feed resumes at every version") { subject in
            let store = try await subject.make()
            var last: [EntityKey: EntityFeed.Change] = [:]
            var versions = [try await store.states(of: [row("x").key]).versions[nil] ?? .none]
            for step in 0..<12 {
                let changes: [EntityChange] = [
                    .put(row("\(step % 4)", kind: "draft")), step % 3 == 2 ? .remove(row("x").key) : .put(row("x")),
                ]
                let version = try await number(store, changes)
                for change in changes {
                    let isRemoval = if case .remove = change { true } else { false }
                    last[change.key] = .init(version: version, isRemoval: isRemoval)
                }
                versions.append(version)
            }
            // A feed that starts at each version must tell exactly the changes after it, and each
            // by its last version.
            for since in versions {
                let received = await next(store.changes(of: nil, since: since))
                let missed = last.filter { $0.value.version > since }
                if since == .none, received == .everything(reached: versions[12]) { continue }
                try require(
                    received == (missed.isEmpty ? nil : .changes(missed, reached: versions[12])),
                    "since \(since) it told \(String(describing: received))")
            }
        },
        Law("a feed tells no commit of another account") { subject in
            let store = try await subject.make()
            let (me, you) = (Account("me"), Account("you"))
            let start = try await number(store, [.put(row("x", account: me))], of: me)
            let feed = store.changes(of: me, since: start)
            _ = await next(feed)
            try await store.commit([.put(row("1")), .put(row("2", account: you))])
            try await store.removeAll(of: you)
            let received = await next(feed)
            try require(received == nil, "of commits to others it told \(String(describing: received))")
        },
        Law("a feed from before a purge tells its reader to read everything") { subject in
            let store = try await subject.make()
            let start = try await number(store, [.put(row("x"))])
            let feed = store.changes(of: nil, since: start)
            _ = await next(feed)
            let purge = try await store.removeAll(of: nil)
            for (feed, name) in [(feed, "a reader"), (store.changes(of: nil, since: start), "one that resumes")] {
                let received = await next(feed)
                try require(
                    received == .everything(reached: purge),
                    "after \(purge) \(name) was told \(String(describing: received))"
                )
            }
            let last = try await number(store, [.put(row("y"))])
            let received = await next(store.changes(of: nil, since: purge))
            try require(
                received == .changes([row("y").key: .init(version: last, isRemoval: false)], reached: last),
                "since \(purge) it told \(String(describing: received))")
            // A reader has such a version if the store was restored from an older backup.
            let beyond = await next(store.changes(of: nil, since: StoreVersion(last.number + 1_000)))
            try require(
                beyond == .everything(reached: last),
                "since a version that never was it told \(String(describing: beyond))")
        },
        Law("a feed from before a pruned tombstone tells its reader to read everything") { subject in
            guard let bound = subject.tombstones else { return }
            let store = try await subject.make()
            let start = try await number(store, [.put(row("x"))])
            _ = try await number(store, [.remove(row("x").key)])
            let last = try await number(store, (0..<bound).map { .remove(row("\($0)").key) })
            let received = await next(store.changes(of: nil, since: start))
            try require(
                received == .everything(reached: last),
                "after \(last) it told \(String(describing: received).prefix(200))")
        },
        Law("a feed has no gap with concurrent commits") { subject in
            let store = try await subject.make()
            let start = try await number(store, [.put(row("first"))])
            let feed = store.changes(of: nil, since: start)
            let reader = Task {
                var received: [EntityFeed.Element] = []
                for await element in feed { received.append(element) }
                return received
            }
            let made = try await withThrowingTaskGroup(of: [EntityKey: StoreVersion].self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        var made: [EntityKey: StoreVersion] = [:]
                        for step in 0..<25 {
                            let row = row("\(writer)-\(step)")
                            made[row.key] = try await number(store, [.put(row)])
                        }
                        return made
                    }
                }
                return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
            }
            // Every commit is reported by now. The reader takes the pending elements and leaves.
            reader.cancel()
            var (reported, reached): ([EntityKey: StoreVersion], StoreVersion) = ([:], start)
            for element in await reader.value {
                guard case .changes(let changes, let version) = element else {
                    return try require(false, "of 100 commits it told \(element)")
                }
                try require(version > reached, "after \(reached) it reached \(version)")
                reached = version
                reported.merge(changes.mapValues(\.version)) { $1 }
                // A version that was reached stands for every commit up to it. One that is told
                // later would be lost to a reader that resumes here.
                let missed = made.filter { $0.value <= version && reported[$0.key] != $0.value }
                try require(missed.isEmpty, "at \(version) it had not told \(missed)")
            }
            try require(reached.number == start.number + 100, "it ended at \(reached)")
        },
    ]

    /// Takes the pending element; nil if there is none.
    ///
    /// A cancelled reader does not wait.
    package static func next(_ feed: EntityFeed) async -> EntityFeed.Element? {
        let reader = Task {
            // Read only after the cancellation, so that the read can't wait.
            while !Task.isCancelled { await Task.yield() }
            var iterator = feed.makeAsyncIterator()
            return await iterator.next(isolation: nil)
        }
        reader.cancel()
        return await reader.value
    }
}
