internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    /// The results of deliveries whose entry or account has changed in the meantime.
    static let late: [Law<Subject>] = [
        Law("a late answer is kept unless its account was removed") { subject in
            for wasDiscarded in [false, true] {
                let clock = LawUptime()
                let store = try await subject.make(clock)
                try await store.enqueue(entry("a", of: me))
                let stale = try await store.leaseOne(request(of: me))
                clock.set(61)
                let holder = try await store.leaseOne(request(of: me))
                if wasDiscarded {
                    try await store.discard("a")
                    try await store.release(holder)
                } else {
                    try await store.settle(holder, .delivered)
                }
                // The lane is empty.
                try require(try await !store.isHere("a"), "it is settled, and here")
                try await store.commit(answer(stale, giving: "t"))
                let what = wasDiscarded ? "after a discard" : "after the delivery by another owner"
                try await requireKept(["a"], ["t": "1"], of: me, in: store, what)
            }
        },
        Law("rows of a delivery that another holder has settled replace no row") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(entry("a"))
            let stale = try await store.leaseOne()
            clock.set(61)
            let holder = try await store.leaseOne()
            func version(_ id: String, _ number: UInt8) -> EntityRow { EntityStoreLaws.row(id, [number]) }
            func settle(_ lane: LeasedLane, _ changes: EntityChange...) async throws {
                var commit = Commit(entities: changes, enqueued: [])
                commit.settled = [
                    .init(lane.deliveries[0].id, under: lane.lease, .delivered, attempts: 1, attemptedAt: at(10))
                ]
                commit.released = [lane.lease]
                try await store.commit(commit)
            }
            func requireRow(_ id: String, _ number: UInt8, _ what: String) async throws {
                let found = try await store.rows([version(id, 0).key]).values.map(\.bytes)
                try require(found == [[number]], "\(what) is \(found)")
            }
            try await settle(holder, .put(version("a", 2)))
            // An older answer must not replace the newer row, but may fill a place where there is
            // none.
            try await settle(stale, .put(version("a", 1)), .put(version("b", 1)))
            try await requireRow("a", 2, "the row of the new owner's delivery")
            try await requireRow("b", 1, "the row that only the late delivery has")
            try await settle(stale, .remove(version("a", 0).key))
            try await requireRow("a", 2, "the row that an owner without the lease removes")
            // A person discards it in flight, and no other owner has leased it since.
            try await store.enqueue(entry("c"))
            clock.set(200)
            let lane = try await store.leaseOne()
            try await store.discard("c")
            try await settle(lane, .put(version("a", 3)))
            try await requireRow("a", 3, "the row of the discarded entry's delivery")
            // It was not settled yet, so there is no newer row.
            try await store.enqueue(entry("d"))
            clock.set(300)
            let first = try await store.leaseOne()
            clock.set(400)
            _ = try await store.leaseOne()
            try await settle(first, .put(version("a", 4)))
            try await requireRow("a", 4, "the row of the first delivery, whose lease has ended,")
        },
        Law("a commit after an account was removed keeps only what belongs to others") { subject in
            let first = try await subject.make()
            try await first.enqueue(entry("a", of: me), entry("b"))
            let (mine, nobodys) = (try await first.leaseOne(request(of: me)), try await first.leaseOne())
            try await first.removeAll(of: me)
            let store = try await subject.reopen?(first, LawUptime()) ?? first
            try await store.commit(answer(mine, giving: "t").merged(answer(nobodys, giving: "u")))
            try await requireKept([], [:], of: me, in: store, "in the removed account")
            try await requireKept(["b"], ["u": "1"], of: nil, in: store, "without an account")
        },
        Law("an account that signs in again after a removal keeps new answers, and none from before") { subject in
            let first = try await subject.make()
            try await first.enqueue(entry("a", of: me))
            let old = try await first.leaseOne(request(of: me))
            try await first.removeAll(of: me)
            let store = try await subject.reopen?(first, LawUptime()) ?? first
            try await store.enqueue(entry("b", of: me), entry("c", lane: "c", of: me))
            let new = try await store.lease(request(of: me)).lanes
            try require(new.count == 2, "of a new sign-in \(new.map(names)) were handed out")
            var commit = answer(old, giving: "t").merged(answer(new[0], giving: "u"))
            commit.settled[0].outcome = .retry(at: at(20), failure)
            try await store.commit(commit)
            // The commit does not tell which of the two deliveries a row came with.
            try await requireKept([], ["u": "1"], of: me, in: store, "of both")
            try await store.commit(answer(new[1], giving: "v"))
            try await requireKept(["c"], ["u": "1", "v": "1"], of: me, in: store, "of the new one")
        },
    ]

    /// Returns the whole result of a delivery: a row and an id, named after its entry.
    private static func answer(_ lane: LeasedLane, giving temporary: String) -> Commit {
        let (entry, account) = (lane.deliveries[0].entry, lane.lease.lane.account)
        var commit = Commit(entities: [.put(EntityStoreLaws.row(name(entry), account: account))], enqueued: [])
        commit.settled = [
            .init(lane.deliveries[0].id, under: lane.lease, .delivered, attempts: 1, attemptedAt: at(10))
        ]
        commit.assigned = [IDAssignment(entry.id, ids: [temporary: "1"], dependents: [])]
        commit.released = [lane.lease]
        return commit
    }

    private static func requireKept(
        _ rows: [String], _ ids: [String: String], of account: Account?, in store: any WriteStore, _ what: String
    ) async throws {
        let keys = ["a", "b", "c"].map { EntityStoreLaws.row($0, account: account).key }
        let found = try await store.rows(keys).keys.map(\.id).sorted()
        try require(found == rows, "\(what) expected the rows \(rows), found \(found)")
        let given = try await store.assignedIDs(for: ["t", "u", "v"], of: account)
        try require(given == ids, "\(what) expected the ids \(ids), found \(given)")
    }
}

extension Commit {
    /// Returns both commits in one.
    fileprivate func merged(_ other: Commit) -> Commit {
        var commit = self
        commit.entities += other.entities
        commit.settled += other.settled
        commit.assigned += other.assigned
        commit.released += other.released
        return commit
    }
}
