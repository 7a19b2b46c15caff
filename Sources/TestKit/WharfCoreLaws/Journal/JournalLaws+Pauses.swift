internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    /// The laws about paused destinations.
    static let pauses: [Law<Subject>] = [
        Law("a destination that is paused gets nothing until it is resumed, and others go on") { subject in
            let store = try await subject.make()
            try await store.enqueue(
                entry("mine", of: me), entry("mail", of: me, to: .all("mail")), entry("nobody's"))
            try await store.pause("api", of: me, because: "the service moves")
            try await store.enqueue(entry("more", of: me))
            let both = request(filter(), filter("mail"), of: me, at: 1_000)
            let found = try await store.leased(both)
            try require(found == [["mail"]], "while api was paused \(found) were handed out")
            let other = try await store.leased(request())
            try require(other == [["nobody's"]], "of another account \(other) were handed out")
            let counts = try await store.counts(of: me)
            let pause = OutboxPause(since: at(0), reason: "the service moves")
            try require(counts.paused == ["api": pause], "counted as paused were \(counts.paused)")
            let pending = counts.pending[.init("api", kind: "note")]
            try require(pending == 2, "of two entries to api \(String(describing: pending)) are counted")
            let others = try await store.counts(of: nil).paused
            try require(others.isEmpty, "of another account \(others) are paused")
            try await store.resume("api", of: me)
            let resumed = try await store.leased(both)
            try require(resumed == [["mine", "more"]], "after it was resumed \(resumed) were handed out")
            let left = try await store.counts(of: me).paused
            try require(left.isEmpty, "it was resumed, and \(left) are paused")
        },
        Law("a destination without an account is paused like any other") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("mine", of: me), entry("nobody's"))
            try await store.pause("api")
            let found = try await store.leased()
            try require(found.isEmpty, "without an account \(found) were handed out")
            let other = try await store.leased(request(of: me))
            try require(other == [["mine"]], "of another account \(other) were handed out")
        },
        Law("a destination that is paused is due at no time") { subject in
            let store = try await subject.make()
            let batch = filter(limits: BatchLimits(entries: 9, wait: .seconds(60)))
            let targets: [OutboxEntry.Target] = [
                .init("log"), .init("api", .unlessDelivered(by: "log", within: .seconds(90))),
            ]
            try await store.enqueue(entry("a"), entry("timed", lane: "timed", to: targets))
            // Leased before the pause, so its end is a time at which something may be due. The
            // pause hides that too.
            let held = try await store.leaseOne(request(lanes: 1))
            try await store.enqueue(entry("b", lane: "b"), entry("mail", lane: "mail", to: .all("mail"), at: 35))
            let before = try await store.nextDue(request(batch))
            try require(before.time == at(60) && before.leaseEndsAfter != nil, "before the pause it is \(before)")
            try await store.pause("api")
            let none = try await store.nextDue(request(batch))
            try require(none == NextDue(), "of a destination that is paused it is \(none)")
            let mail = filter("mail", limits: BatchLimits(entries: 9, wait: .seconds(60)))
            let other = try await store.nextDue(request(batch, mail, at: 40))
            try require(other.time == at(95), "of another destination it is \(other)")
            try await store.resume("api")
            let after = try await store.nextDue(request(batch))
            try require(after == before, "before the pause it is \(before), and after it \(after)")
            try await store.release(held)
        },
        Law("a lane that is leased when its destination is paused is settled as any other") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"))
            let lane = try await store.leaseOne(request(entries: 1))
            try await store.pause("api")
            let extended = try await store.extend([lane.lease], for: .seconds(60))
            try require(extended == [lane.lease], "its lease has ended")
            try await store.settle(lane, .delivered)
            try require(try await !store.isHere("a"), "its settlement was not taken")
            let found = try await store.leased(request(at: 20))
            try require(found.isEmpty, "after its settlement \(found) were handed out")
            try await store.resume("api")
            let next = try await store.leased(request(at: 30))
            try require(next == [["b"]], "after it was resumed \(next) were handed out")
        },
        Law("entries of a destination that is paused are retried and discarded") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"), entry("c"))
            try await store.settle(try await store.leaseOne(request(entries: 1)), .dead(failure))
            try await store.pause("api")
            try await store.retry("a")
            try await store.discard("b")
            let state = try await store.state("a")
            guard case .pending? = state else {
                return try require(false, "retried it is \(String(describing: state))")
            }
            try require(try await !store.isHere("b"), "discarded it is here")
            let found = try await store.leased(request(at: 20))
            try require(found.isEmpty, "\(found) were handed out")
            try await store.resume("api")
            let next = try await store.leased(request(at: 30))
            try require(next == [["a", "c"]], "after it was resumed \(next) were handed out")
        },
        Law("a second pause keeps the time of the first, and replaces its reason by one that it has") { subject in
            let store = try await subject.make()
            try await store.pause("api", of: me, at: 5)
            try await requirePause(in: store, since: 5, nil, "paused")
            try await store.pause("api", of: me, because: "the service moves", at: 7)
            try await requirePause(in: store, since: 5, "the service moves", "paused with a reason")
            try await store.pause("api", of: me, at: 9)
            try await requirePause(in: store, since: 5, "the service moves", "paused without one")
            try await store.pause("api", of: me, because: "it has moved", at: 11)
            try await requirePause(in: store, since: 5, "it has moved", "paused with another")
            try await store.resume("api", of: me)
            try await store.pause("api", of: me, at: 13)
            try await requirePause(in: store, since: 13, nil, "resumed and paused")
        },
    ]

    private static func requirePause(
        in store: any WriteStore, since seconds: Int, _ reason: String?, _ when: String
    ) async throws {
        let found = try await store.counts(of: me).paused
        let expected = ["api": OutboxPause(since: at(seconds), reason: reason)]
        try require(found == expected, "\(when) expected \(expected), found \(found)")
    }
}

extension WriteStore {
    func pause(
        _ destination: String, of account: Account? = nil, because reason: String? = nil, at seconds: Int = 0
    ) async throws {
        var commit = Commit()
        let pause = OutboxPause(since: JournalLaws.at(seconds), reason: reason)
        commit.paused = [PausedDestination(destination, of: account): pause]
        try await self.commit(commit)
    }

    func resume(_ destination: String, of account: Account? = nil) async throws {
        var commit = Commit()
        commit.resumed = [PausedDestination(destination, of: account)]
        try await self.commit(commit)
    }
}
