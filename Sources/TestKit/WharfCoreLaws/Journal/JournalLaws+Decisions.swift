internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let decisions: [Law<Subject>] = [
        Law("a dead letter that is retried is in its old place, under its key, with attempts from zero") { subject in
            let store = try await subject.make()
            var first = entry("a")
            first.key = IdempotencyKey("key")
            try await store.enqueue(first, entry("b"), entry("c"))
            try await store.settle(try await store.leaseOne(request(entries: 1)), .dead(failure), attempts: 9, at: 11)
            try await store.settle(try await store.leaseOne(request(entries: 1)), .retry(at: at(20), failure))
            try await store.retry("a")
            let found = try await store.leaseOne(request(at: 20)).deliveries
            try require(
                found.map { name($0.entry) } == ["a", "b", "c"], "handed out were \(found.map { name($0.entry) })")
            try require(found[0].entry == first, "retried it was \(found[0].entry)")
            try require(found[0].attempts == 0, "retried it had \(found[0].attempts) attempts")
            try require(
                found[0].firstAttempt == at(11),
                "it was first attempted at \(String(describing: found[0].firstAttempt))")
            let letters = try await store.deadLetters(of: nil, after: nil, limit: 10)
            try require(letters.isEmpty, "a was retried, dead are \(letters.map { name($0.entry) })")
        },
        Law("a retry of an entry that is not dead changes nothing") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            try await store.settle(try await store.leaseOne(), .retry(at: at(20), failure), attempts: 2)
            try await store.retry("a")
            // A destination that the entry does not have, and an entry that is not there.
            try await store.retry("a", to: "nobody")
            try await store.retry("gone")
            let state = try await store.state("a")
            try require(
                state == .pending(attempts: 2, nextAttempt: at(20), failure), "it made it \(String(describing: state))")
        },
        Law("a discarded entry, waiting or dead, is gone and holds no lane") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"), entry("c"), entry("d"))
            try await store.settle(try await store.leaseOne(request(entries: 1)), .dead(failure))
            try await store.settle(try await store.leaseOne(request(entries: 1)), .retry(at: at(900), failure))
            for name in ["a", "b", "gone"] { try await store.discard(name) }
            let found = try await store.leased()
            try require(found == [["c", "d"]], "handed out were \(found)")
            let left = try await store.records(of: nil, after: nil, limit: 10).map { name($0.entry) }
            try require(left == ["c", "d"], "a and b were discarded, here are \(left)")
            let counts = try await store.counts(of: nil)
            try require(
                counts.dead.isEmpty && counts.dropped.isEmpty && counts.pending == [.init("api", kind: "note"): 2],
                "counted were \(counts)")
        },
        Law("removal of an account takes its entries, dead letters and pauses") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", of: me), entry("b", lane: "b", of: me), entry("theirs"))
            try await store.settle(try await store.leaseOne(request(of: me, lanes: 1)), .dead(failure))
            try await store.pause("api", of: me)
            try await store.removeAll(of: me)
            try require(try await store.records(of: me, after: nil, limit: 9).isEmpty, "records are left")
            try require(try await store.deadLetters(of: me, after: nil, limit: 9).isEmpty, "dead letters are left")
            try require(try await store.leased(request(of: me, at: 500)).isEmpty, "it was handed out")
            try require(try await store.counts(of: me) == OutboxCounts(), "it is counted")
            try require(try await store.isHere("theirs"), "another's went with it")
            try await store.enqueue(entry("a", of: me))
            try require(try await store.leased(request(of: me, at: 500)) == [["a"]], "nothing is taken any more")
        },
        Law("a delivery in flight when its account is removed brings nothing to that account") { subject in
            let store = try await subject.make()
            let rows = [EntityStoreLaws.row("mine", account: me), EntityStoreLaws.row("nobody's")]
            func settle(_ lane: LeasedLane, of account: Account?) async throws {
                var commit = Commit(entities: [.put(rows[account == nil ? 1 : 0])], enqueued: [])
                commit.settled = [
                    .init(lane.deliveries[0].id, under: lane.lease, .delivered, attempts: 1, attemptedAt: at(10))
                ]
                commit.assigned = [
                    IDAssignment(lane.deliveries[0].entry.id, ids: ["t": "1"], dependents: [])
                ]
                commit.released = [lane.lease]
                try await store.commit(commit)
            }
            try await store.enqueue(entry("a", of: me), entry("b"))
            // Both are in flight now.
            let (mine, nobodys) = (try await store.leaseOne(request(of: me)), try await store.leaseOne())
            try await store.removeAll(of: me)
            // A new sign-in. The late deliveries settle none of its entries.
            try await store.enqueue(entry("c", lane: "new", of: me))
            try await settle(mine, of: me)
            try require(try await store.row(rows[0].key) == nil, "an entity came to an account that was removed")
            try require(try await store.assignedIDs(for: ["t"], of: me).isEmpty, "ids came to it")
            // A person has discarded the entry in the meantime. The receiver's answer counts all
            // the same.
            try await store.discard("b")
            try await settle(nobodys, of: nil)
            try require(try await store.row(rows[1].key) == rows[1], "an entity of what was discarded is missing")
            try require(try await store.assignedIDs(for: ["t"], of: nil) == ["t": "1"], "its ids are missing")
        },
        Law("a dead letter that is rewritten and retried keeps its place and its dependents") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b", lane: "b", after: "a"), entry("c"))
            try await store.settle(try await store.leaseOne(request(entries: 1)), .conflict(failure, theirs: [1]))
            var commit = Commit()
            commit.rewritten = [Rewrite(id("a"), payload: Array("anew".utf8), key: IdempotencyKey("new"), base: [1])]
            commit.retried = [DeliveryID(id("a"), to: "api")]
            try await store.commit(commit)
            try require(try await store.state("b") == .waiting, "what depends on it does not wait for it")
            let lane = try await store.leaseOne()
            try require(names(lane) == ["anew", "c"], "handed out were \(names(lane))")
            let found = lane.deliveries[0].entry
            try require(
                found.id == id("a") && found.key.text == "new" && found.base == [1] && lane.deliveries[0].attempts == 0,
                "it is \(found)")
            try await store.settle(lane, .delivered, .delivered)
            try require(try await store.leased() == [["b"]], "what waited for it is not due")
        },
        Law("the second of two rewrites that retry a dead letter changes nothing") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            try await store.settle(try await store.leaseOne(), .conflict(failure, theirs: [1]))
            func rewrite(_ name: String) async throws {
                var commit = Commit()
                commit.rewritten = [Rewrite(id("a"), payload: Array(name.utf8), key: IdempotencyKey(name))]
                commit.retried = [DeliveryID(id("a"), to: "api")]
                try await store.commit(commit)
            }
            try await rewrite("first")
            try await requireChanged("a rewrite of a letter that was retried") { try await rewrite("second") }
            let found = try await store.record(of: id("a"))?.entry
            try require(found?.key.text == "first", "sent is \(String(describing: found))")
            try await store.settle(try await store.leaseOne(request(at: 20)), .dead(failure))
            // Dead once more, so a rewrite is a decision about the present dead letter.
            try await rewrite("third")
            try require(
                names(try await store.leaseOne(request(at: 30))) == ["third"], "dead again it was not rewritten")
        },
        Law("a decision about a dead letter that has changed since it was seen changes nothing") {
            subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            let letter = DeliveryID(id("a"), to: "api")
            func discard(seenUnder key: String) async throws {
                var commit = Commit(enqueued: [entry("c", lane: "c")])
                (commit.discarded, commit.lookedAt) = ([letter], [letter: IdempotencyKey(key)])
                try await store.commit(commit)
            }
            let key = entry("a").key.text
            try await requireChanged("a discard of an entry that was never dead") { try await discard(seenUnder: key) }
            try await store.settle(try await store.leaseOne(), .conflict(failure, theirs: [1]))
            var commit = Commit()
            commit.rewritten = [Rewrite(id("a"), payload: Array("anew".utf8), key: IdempotencyKey("new"))]
            (commit.retried, commit.lookedAt) = ([letter], [letter: IdempotencyKey(key)])
            try await store.commit(commit)
            try await requireChanged("a discard of a letter that was retried") { try await discard(seenUnder: "new") }
            try await store.settle(try await store.leaseOne(request(at: 20)), .conflict(failure, theirs: [2]))
            // The key is that of the first death. The bytes that a person saw then are not those of
            // the second.
            try await requireChanged("a discard under an old key") { try await discard(seenUnder: key) }
            let kept = try await store.records(of: nil, after: nil, limit: 9).map(\.entry.id)
            try require(kept == [id("a")], "after commits that threw here are \(kept)")
            try await discard(seenUnder: "new")
            let left = try await store.records(of: nil, after: nil, limit: 9).map(\.entry.id)
            try require(left == [id("c")], "after it was discarded as it was seen here are \(left)")
            try await requireChanged("a discard of an entry that is gone") { try await discard(seenUnder: "new") }
        },
        Law("nothing of one account is seen under another") { subject in
            let accounts = [nil, Account(""), me, Account("ME")]
            let store = try await subject.make()
            for account in accounts { try await store.enqueue(entry("\(account?.name ?? "-") a", of: account)) }
            for account in accounts { try await store.enqueue(entry("\(account?.name ?? "-") b", of: account)) }
            for account in accounts {
                let own = account?.name ?? "-"
                let lane = try await store.leaseOne(request(of: account, entries: 1))
                try require(names(lane) == ["\(own) a"], "\(own) was handed \(names(lane))")
                try require(lane.lease.lane.account == account, "\(own) was handed \(lane.lease.lane)")
                try await store.settle(lane, .dead(failure))
                let letters = try await store.deadLetters(of: account, after: nil, limit: 10).map { name($0.entry) }
                try require(letters == ["\(own) a"], "the dead letters of \(own) are \(letters)")
                let records = try await store.records(of: account, after: nil, limit: 10).map { name($0.entry) }
                try require(records == ["\(own) a", "\(own) b"], "the records of \(own) are \(records)")
                let counts = try await store.counts(of: account)
                try require(
                    Array(counts.pending.values) == [1] && Array(counts.dead.values) == [1], "\(own) has \(counts)")
            }
        },
    ]
}
