internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let commits: [Law<Subject>] = [
        Law("an id that is there already is refused, with all that comes with it") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", of: me))
            let lane = try await store.leaseOne(request(of: me))
            // The id of a stored entry, and one that occurs twice in the commit itself.
            for twins in [[entry("new"), entry("a", lane: "other")], [entry("new"), entry("new", lane: "other")]] {
                var commit = Commit(entities: [.put(EntityStoreLaws.row("x"))], enqueued: twins)
                commit.settled = [
                    .init(
                        lane.deliveries[0].id, under: lane.lease, .retry(at: at(20), failure), attempts: 1,
                        attemptedAt: at(10))
                ]
                commit.discarded = [DeliveryID(id("a"), to: "api")]
                commit.paused = [PausedDestination("api"): OutboxPause(since: at(10))]
                commit.released = [lane.lease]
                try await requireChanged("an id that is there already") { try await store.commit(commit) }
                try require(try await !store.isHere("new"), "of a commit that was refused an entry is here")
                try require(try await store.row(EntityStoreLaws.row("x").key) == nil, "its entity was written")
                let state = try await store.state("a")
                try require(
                    state == .pending(attempts: 0, nextAttempt: at(0), nil), "it made a \(String(describing: state))")
                try require(try await store.counts(of: nil) == OutboxCounts(), "it has changed the counts")
                try require(try await store.leased(request(of: me)).isEmpty, "it gave the lane back")
            }
        },
        Law("an id whose entry is gone is free") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            try await store.settle(try await store.leaseOne(), .delivered)
            try await store.enqueue(entry("a", lane: "again"))
            let found = try await store.leaseOne()
            try require(found.lease.lane.name == "again" && names(found) == ["a"], "handed out was \(found)")
        },
        Law("an entity and its entry are there together or not at all") { subject in
            let store = try await subject.make()
            let key = EntityStoreLaws.row("x").key
            try await withReaders(3) {
                let value = try await store.row(key)?.bytes.first ?? 0
                let entries = try await store.counts(of: nil).pending.values.reduce(0, +)
                try require(entries >= Int(value), "\(value) was written, and \(entries) entries were here")
                // Read in this order, so that a writer in between can only raise the second number.
                let later = try await store.row(key)?.bytes.first ?? 0
                try require(Int(later) >= entries, "\(entries) entries were here, and then \(later) was written")
            } while: {
                for value in 1...50 {
                    let row = EntityStoreLaws.row("x", [UInt8(value)])
                    try await store.commit(
                        Commit(entities: [.put(row)], enqueued: [entry("\(value)", lane: "\(value)")]))
                }
            }
        },
        Law("a commit reports the entities that it changes") { subject in
            let store = try await subject.make()
            let changes = store.changes(of: nil, kind: "note", since: nil)
            try await store.commit(Commit(entities: [.put(EntityStoreLaws.row("x"))], enqueued: [entry("a")]))
            let received = EntityStoreLaws.reported(changes)
            try require(
                received == .keys([EntityStoreLaws.row("x").key]) || received == .all,
                "heard of \(String(describing: received))")
        },
        Law("an expectation that does not hold refuses the whole commit") { subject in
            let store = try await subject.make()
            let (x, me) = (EntityStoreLaws.row("x"), Account("me"))
            let mine = EntityStoreLaws.row("x", account: me)
            let seen = try await store.commit(Commit(entities: [.put(x), .put(mine)], enqueued: [entry("a")])).outcome
            guard let first = seen.version(of: nil), seen.version(of: me) != nil else {
                return try require(false, "a commit to two accounts answered \(seen)")
            }
            try await store.commit([.put(EntityStoreLaws.row("x", [2]))])
            let lane = try await store.leaseOne()
            let changes: [EntityChange] = [.put(EntityStoreLaws.row("x", [3])), .put(EntityStoreLaws.row("y"))]
            var commit = Commit(entities: changes, expecting: [x.key: first], enqueued: [entry("b", lane: "b")])
            commit.settled = [
                .init(lane.deliveries[0].id, under: lane.lease, .delivered, attempts: 1, attemptedAt: at(10))
            ]
            let current = EntityState(row: EntityStoreLaws.row("x", [2]), version: first.next)
            let refused = try await store.commit(commit)
            try require(refused == CommitResult(outcome: .refused([x.key: current])), "it answered \(refused)")
            let isHere = try await (store.isHere("a"), store.isHere("b"))
            try require(isHere == (true, false), "of a refused commit it settled or enqueued: \(isHere)")
            let rows = try await store.rows([x.key, EntityStoreLaws.row("y").key])
            try require(rows == [x.key: EntityStoreLaws.row("x", [2])], "a refused commit wrote \(rows.values)")
            commit.expecting = [x.key: first.next]
            let taken = try await store.commit(commit)
            try require(taken.outcome == .committed([nil: first.next.next]), "what holds answered \(taken)")
            let after = try await (store.isHere("a"), store.isHere("b"))
            try require(after == (false, true), "a commit whose expectations hold made \(after)")
        },
        Law("a commit is carried out in its order") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("dead", lane: "dead"))
            let lanes = try await store.lease(request()).lanes
            try await store.settle(lanes[1], .dead(failure))
            var commit = Commit(enqueued: [entry("b", after: "a"), entry("c", lane: "dead", after: "dead")])
            commit.settled = [
                .init(
                    lanes[0].deliveries[0].id, under: lanes[0].lease, .retry(at: at(500), failure), attempts: 1,
                    attemptedAt: at(10))
            ]
            // b is enqueued by the same commit, so it can't be among the known dependents of a.
            commit.assigned = [IDAssignment(id("a"), ids: ["t": "1"], dependents: [])]
            commit.rewritten = [Rewrite(id("a"), payload: [9], key: IdempotencyKey("merged"))]
            commit.retried = [DeliveryID(id("dead"), to: "api")]
            commit.discarded = commit.retried
            commit.paused = [PausedDestination("api"): OutboxPause(since: at(10))]
            commit.resumed = [PausedDestination("api")]
            commit.released = [lanes[0].lease]
            try await store.commit(commit)
            try require(try await store.counts(of: nil).paused.isEmpty, "paused and resumed it is paused")
            try require(try await !store.isHere("dead"), "retried and discarded it is here")
            let found = try await store.leased()
            try require(found.isEmpty, "what c depends on was discarded before c came, handed out were \(found)")
            let state = try await store.state("c")
            guard case .dead? = state else {
                return try require(false, "what c depends on was discarded, it is \(String(describing: state))")
            }
            let merged = try await store.lease(request(at: 500)).lanes.flatMap(\.deliveries).first?.entry
            try require(
                merged?.payload == [9] && merged?.key.text == "merged",
                "after its settlement it was rewritten, handed out was \(String(describing: merged))")
        },
        Law("a commit is there after the store was opened again") { subject in
            guard let reopen = subject.reopen else { return }
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(
                entry("a", lane: "a"), entry("b", lane: "b", to: .first(of: "api", "mail")),
                entry("c", lane: "c", after: "b"),
                entry("d", lane: "d", .bounded(1)), entry("e", lane: "e", .bounded(1)), entry("held", lane: "held"))
            for lane in try await store.lease(request()).lanes {
                switch lane.lease.lane.name {
                case "a": try await store.settle(lane, .retry(at: at(20), failure), attempts: 4)
                case "b": try await store.settle(lane, .conflict(failure, theirs: [1]), attempts: 2)
                case "held": break
                default: try await store.release(lane)
                }
            }
            var commit = Commit()
            commit.assigned = [IDAssignment(id("a"), ids: ["t": "1"], dependents: [])]
            commit.paused = [
                PausedDestination("api", of: me): OutboxPause(since: at(10), reason: "the service moves"),
                PausedDestination("mail", of: me): OutboxPause(since: at(10)),
            ]
            try await store.commit(commit)
            let before = try await (
                store.records(of: nil, after: nil, limit: 99), store.deadLetters(of: nil, after: nil, limit: 99),
                store.counts(of: nil), store.counts(of: me), store.assignedIDs(for: ["t"], of: nil)
            )
            try require(before.0.count == 5 && before.1.count == 1 && before.4 == ["t": "1"], "there was \(before)")
            let again = try await reopen(store, clock)
            let after = try await (
                again.records(of: nil, after: nil, limit: 99), again.deadLetters(of: nil, after: nil, limit: 99),
                again.counts(of: nil), again.counts(of: me), again.assignedIDs(for: ["t"], of: nil)
            )
            try require(before == after, "before \(before), after \(after)")
            let lanes = try await again.lease(request(at: 20)).lanes
            try require(lanes.map(names) == [["e"], ["a"]], "handed out were \(lanes.map(names))")
            let mail = try await again.leased(request(filter("mail")))
            try require(mail == [["b"]], "handed out to mail were \(mail)")
            try await again.enqueue(entry("f", lane: "a"))
            clock.set(61)
            let free = try await again.leased(request(at: 20))
            try require(
                Set(free) == [["a", "f"], ["e"], ["held"]], "after the leases had run out \(free) were handed out")
        },
    ]
}
