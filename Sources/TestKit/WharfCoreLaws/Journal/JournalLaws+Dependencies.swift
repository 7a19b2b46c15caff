internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let dependencies: [Law<Subject>] = [
        Law("an entry waits until its dependency is delivered everywhere") { subject in
            let store = try await subject.make()
            try await store.enqueue(
                entry("a", lane: "a", to: .all("api", "log")), entry("b", lane: "b", after: "a"),
                entry("c", lane: "b"), entry("d", lane: "a", after: "a"), entry("e", lane: "e"))
            let state = try await store.state("b")
            try require(state == .waiting, "b depends on a, and is \(String(describing: state))")
            let first = try await store.lease(request()).lanes
            try require(first.map(names) == [["a"], ["e"]], "b and d depend on a, handed out were \(first.map(names))")
            try await store.settle(first[0], .delivered)
            let early = try await store.leased()
            try require(early.isEmpty, "a was delivered to one of two, handed out were \(early)")
            try await store.settle(try await store.leaseOne(request(filter("log"))), .delivered)
            let late = try await store.leased()
            try require(Set(late) == [["b", "c"], ["d"]], "a was delivered everywhere, handed out were \(late)")
        },
        Law("a dependency that is not in the journal counts as delivered") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("b", after: "a"))
            let found = try await store.leased()
            try require(found == [["b"]], "b depends on what was never here, handed out were \(found)")
        },
        Law("an entry that depends on a dead letter waits until that is delivered") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", lane: "a"), entry("b", lane: "b", after: "a"))
            try await store.settle(try await store.leaseOne(), .dead(failure))
            let none = try await store.leased()
            try require(none.isEmpty, "b depends on a dead letter, handed out were \(none)")
            try await store.retry("a")
            try await store.settle(try await store.leaseOne(), .delivered)
            let found = try await store.leased()
            try require(found == [["b"]], "a was delivered in the end, handed out were \(found)")
        },
        Law("an entry that depends on a discarded one becomes a dead letter, and no other does") { subject in
            for isDead in [true, false] {
                let store = try await subject.make()
                try await store.enqueue(
                    entry("a", lane: "a"), entry("b", lane: "b", to: .all("api", "log"), after: "a"),
                    entry("c", lane: "c", after: "b"), entry("d", lane: "d"))
                if isDead {
                    let lanes = try await store.lease(request(lanes: 1)).lanes
                    try await store.settle(lanes[0], .dead(failure))
                }
                try await store.discard("a")
                let letters = try await store.deadLetters(of: nil, after: nil, limit: 10)
                let found = letters.map { "\(name($0.entry)) to \($0.destination)" }
                try require(Set(found) == ["b to api", "b to log"], "a was discarded, these died: \(found)")
                try require(
                    letters.allSatisfy { $0.failure.code == .dependencyDiscarded },
                    "they died of \(letters.map(\.failure))")
                try require(try await store.state("c") == .waiting, "c depends on a dead letter, and does not wait")
                let due = try await store.leased()
                try require(due == [["d"]], "handed out were \(due)")
            }
        },
        Law("dependents are those that were never attempted, in the order of their commits") { subject in
            let store = try await subject.make()
            // b is attempted before its dependency is in the journal.
            try await store.enqueue(entry("b", lane: "b", after: "a"), entry("x", lane: "x"))
            for lane in try await store.lease(request()).lanes {
                try await store.settle(lane, .retry(at: at(10), failure), attempts: 0)
            }
            try await store.enqueue(entry("a", lane: "a"), entry("c", after: "a"), entry("d", after: "c"))
            try await store.enqueue(entry("e", after: "a", "c"), entry("f", lane: "f", after: "a"))
            let found = try await store.dependents(of: id("a"))
            let expected = [entry("c", after: "a"), entry("e", after: "a", "c"), entry("f", lane: "f", after: "a")]
            try require(found == expected, "expected \(expected.map(name)), found \(found.map(name))")
            let none = try await store.dependents(of: id("f"))
            try require(none.isEmpty, "no entry depends on f, found \(none.map(name))")
        },
        Law("assigned ids are kept for the account, after the entry is gone") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", of: me))
            let lane = try await store.leaseOne(request(of: me))
            var commit = Commit()
            commit.settled = [
                .init(lane.deliveries[0].id, under: lane.lease, .delivered, attempts: 1, attemptedAt: at(10))
            ]
            commit.assigned = [IDAssignment(id("a"), ids: ["t1": "1", "t2": "2"], dependents: [])]
            try await store.commit(commit)
            let found = try await store.assignedIDs(for: ["t1", "t3"], of: me)
            try require(found == ["t1": "1"], "asked for t1 and t3, found \(found)")
            let other = try await store.assignedIDs(for: ["t1"], of: nil)
            try require(other.isEmpty, "another account found \(other)")
        },
        Law("an assignment that has missed a dependent changes nothing") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", lane: "a"), entry("b", lane: "b", after: "a"))
            let lane = try await store.leaseOne()
            var commit = Commit()
            commit.entities = [.put(EntityStoreLaws.row("x"))]
            commit.settled = [
                .init(lane.deliveries[0].id, under: lane.lease, .delivered, attempts: 1, attemptedAt: at(10))
            ]
            commit.assigned = [IDAssignment(id("a"), ids: ["t": "1"], dependents: [id("b")])]
            commit.rewritten = [Rewrite(id("b"), payload: [9])]
            commit.released = [lane.lease]
            // It comes after the dependents were listed and before the commit, as from another
            // task.
            try await store.enqueue(entry("c", lane: "c", after: "a"))
            try await requireChanged("an assignment without c, which depends on a,") { try await store.commit(commit) }
            try require(try await store.isHere("a"), "a was settled by a commit that was refused")
            try require(
                try await store.record(of: id("b"))?.entry == entry("b", lane: "b", after: "a"), "b was rewritten")
            try require(try await store.row(EntityStoreLaws.row("x").key) == nil, "its entity was written")
            try require(try await store.assignedIDs(for: ["t"], of: nil).isEmpty, "its ids were kept")
            try require(try await store.leased().isEmpty, "its lane was given back")
            commit.assigned[0].dependents.insert(id("c"))
            commit.rewritten.append(Rewrite(id("c"), payload: [8]))
            try await store.commit(commit)
            let found = try await store.lease(request()).lanes.flatMap(\.deliveries).map(\.entry)
            try require(found.map(\.payload) == [[9], [8]], "b and c were rewritten, handed out were \(found)")
            try require(found.map(\.key) == [entry("b").key, entry("c").key], "their keys were changed")
        },
        Law("bytes under a key never change once they were on their way") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            func rewrite(_ name: String, key: IdempotencyKey? = nil) async throws {
                var commit = Commit()
                commit.rewritten = [Rewrite(id(name), payload: [9], key: key, base: [7])]
                try await store.commit(commit)
            }
            try await requireChanged("a rewrite of what is not here") { try await rewrite("gone") }
            let lane = try await store.leaseOne()
            try await requireChanged("a rewrite of what is on its way") { try await rewrite("a") }
            try await store.enqueue(entry("back", lane: "back"))
            // Leased and given back without an attempt, so its bytes were never sent.
            try await store.release(try await store.leaseOne())
            try await rewrite("back")
            try require(
                try await store.record(of: id("back"))?.entry.payload == [9], "what was given back was not rewritten")
            try await store.discard("back")
            try await requireChanged("a rewrite of what is on its way, under a new key,") {
                try await rewrite("a", key: IdempotencyKey("new"))
            }
            // An attempt that does not count. The bytes may have arrived all the same.
            try await store.settle(lane, .retry(at: at(20), failure), attempts: 0)
            try await requireChanged("a rewrite of what was attempted, under its key,") { try await rewrite("a") }
            var unchanged = try await store.record(of: id("a"))?.entry
            try require(unchanged == entry("a"), "refused rewrites changed a to \(String(describing: unchanged))")
            try await rewrite("a", key: IdempotencyKey("new"))
            unchanged?.payload = [9]
            unchanged?.base = [7]
            unchanged?.key = IdempotencyKey("new")
            let found = try await store.leaseOne(request(at: 20)).deliveries.map(\.entry)
            try require(found == [unchanged].compactMap(\.self), "rewritten under a new key a was \(found)")
        },
        Law("a rewrite that expects another payload than the entry has is refused") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            let first = entry("a").payload
            func rewrite(from expected: [UInt8], to payload: [UInt8]) async throws {
                var commit = Commit()
                commit.rewritten = [Rewrite(id("a"), payload: payload, expecting: expected)]
                try await store.commit(commit)
            }
            try await rewrite(from: first, to: [8])
            try await requireChanged("a rewrite of bytes that the entry has no more") {
                try await rewrite(from: first, to: [9])
            }
            let found = try await store.record(of: id("a"))?.entry.payload
            try require(found == [8], "after a refused rewrite a had \(String(describing: found))")
            try await rewrite(from: [8], to: [9])
        },
    ]
}
