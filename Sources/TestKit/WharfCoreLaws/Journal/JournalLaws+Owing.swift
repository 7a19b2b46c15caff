internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let owing: [Law<Subject>] = [
        Law("an entry is owed its ids until a rewrite has filled in exactly these") { subject in
            let first = try await subject.make()
            try await first.enqueue(
                entry("a", lane: "a"), entry("b", lane: "b", after: "a"), entry("c", lane: "c", after: "a"))
            try await deliver(first, giving: ["t": "1"], owedTo: "b", rewriting: "c")
            let store = try await subject.reopen?(first, LawUptime()) ?? first
            let lanes = try await store.lease(request()).lanes
            let owed = lanes.map { $0.deliveries.map(\.owed) }
            try require(owed == [[["t": "1"]], [[:]]], "b is owed an id, and c has it; handed out were \(owed)")
            func fill(_ ids: [String: String]) async throws {
                var commit = Commit()
                commit.rewritten = [Rewrite(id("b"), payload: [9], owed: ids)]
                try await store.commit(commit)
            }
            // None, another one, and one too many.
            for wrong in [[:], ["t": "2"], ["t": "1", "u": "2"]] {
                try await requireChanged("a rewrite of b, which lacks t, with \(wrong)") { try await fill(wrong) }
            }
            // The payload can be filled in flight too, because it is never sent before.
            try await fill(["t": "1"])
            try await requireChanged("a second one") { try await fill(["t": "1"]) }
            try await store.release(lanes[0])
            let found = try await store.leaseOne().deliveries[0]
            try require(
                found.owed.isEmpty && found.entry.payload == [9] && found.entry.key == entry("b").key
                    && found.firstAttempt == nil, "in the end it was handed out as \(found)")
        },
        Law("an entry that comes after its dependency was delivered is owed the ids of that delivery") { subject in
            let first = try await subject.make()
            try await first.enqueue(entry("a", lane: "a", to: .all("api", "log")))
            try await deliver(first, giving: ["t": "1", "u": "2"])
            try await first.enqueue(entry("b", lane: "b", after: "a"))
            try await first.settle(try await first.leaseOne(request(filter("log"))), .delivered)
            let store = try await subject.reopen?(first, LawUptime()) ?? first
            try await store.enqueue(entry("c", lane: "c", after: "a", "x"), entry("d", lane: "d", after: "x"))
            let owed = try await store.lease(request()).lanes.map { $0.deliveries[0].owed }
            try require(
                owed == [["t": "1", "u": "2"], ["t": "1", "u": "2"], [:]],
                "b and c depend on a, d does not; they were owed \(owed)")
        },
        Law("an entry that comes after its dependency was discarded is a dead letter") { subject in
            let first = try await subject.make()
            try await first.enqueue(entry("a", lane: "a"), entry("mine", of: me))
            try await first.discard("a")
            try await first.discard("mine")
            let store = try await subject.reopen?(first, LawUptime()) ?? first
            try await store.enqueue(
                entry("b", lane: "b", to: .first(of: "api", "log"), after: "a", "x"), entry("c", lane: "c", after: "b"))
            let letters = try await store.deadLetters(of: nil, after: nil, limit: 9)
            try require(
                letters.map { name($0.entry) } == ["b", "b"]
                    && letters.allSatisfy { $0.failure.code == .dependencyDiscarded && $0.diedAt == at(0) },
                "b depends on what was discarded, dead are \(letters)")
            let due = try await store.leased() + store.leased(request(filter("log")))
            try require(due.isEmpty, "handed out were \(due)")
            try await store.removeAll(of: me)
            try await store.enqueue(entry("d", lane: "d", of: me, after: "mine"))
            let mine = try await store.leased(request(of: me))
            try require(mine == [["d"]], "of an account that was removed \(mine) were handed out")
        },
    ]

    /// Delivers the delivery to `api` that is due, with assigned ids.
    private static func deliver(
        _ store: any WriteStore, giving ids: [String: String], owedTo owed: String? = nil, rewriting name: String? = nil
    ) async throws {
        let lane = try await store.leaseOne()
        let delivery = lane.deliveries[0].id
        var commit = Commit()
        commit.settled = [.init(delivery, under: lane.lease, .delivered, attempts: 1, attemptedAt: at(10))]
        commit.assigned = [
            IDAssignment(
                delivery.entry, ids: ids, dependents: Set([owed, name].compactMap(\.self).map(id)),
                owed: Set([owed].compactMap(\.self).map(id)))
        ]
        commit.rewritten = [name].compactMap(\.self).map { Rewrite(id($0), payload: [8]) }
        commit.released = [lane.lease]
        try await store.commit(commit)
    }
}
