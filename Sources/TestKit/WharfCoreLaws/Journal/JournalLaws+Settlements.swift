internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let settlements: [Law<Subject>] = [
        Law("an entry that is delivered everywhere is gone") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"))
            try await store.settle(try await store.leaseOne(request(entries: 1)), .delivered)
            try require(try await !store.isHere("a"), "a was delivered, and is here")
            let records = try await store.records(of: nil, after: nil, limit: 10).map { name($0.entry) }
            try require(records == ["b"], "a was delivered, and here are \(records)")
        },
        Law("a retry keeps its attempts, its times and its failure") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            let fresh = try await store.leaseOne()
            try require(
                fresh.deliveries == [PendingDelivery(entry: entry("a"), destination: "api", nextAttempt: at(0))],
                "what was never attempted came as \(fresh.deliveries)")
            try await store.settle(fresh, .retry(at: at(20), failure), attempts: 1, at: 11)
            let other = DeliveryFailure(.noAnswer, message: "no answer")
            let again = try await store.leaseOne(request(at: 20))
            // Another number, time and failure, of which only the first time has to stay.
            try await store.settle(again, .retry(at: at(30), other), attempts: 7, at: 21)
            let found = try await store.leaseOne(request(at: 30)).deliveries
            var expected = PendingDelivery(entry: entry("a"), destination: "api", nextAttempt: at(30))
            expected.attempts = 7
            expected.firstAttempt = at(11)
            expected.countedSince = at(11)
            expected.lastFailure = other
            try require(found == [expected], "expected \(expected), found \(found)")
            let state = try await store.state("a")
            try require(
                state == .pending(attempts: 7, nextAttempt: at(30), other),
                "the record said \(String(describing: state))")
        },
        Law("attempts count since the first that counts, and anew since a manual retry") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            /// Attempts the entry at a time, with this number of counted attempts.
            func attempt(_ store: any WriteStore, _ attempts: Int, at seconds: Int, isDead: Bool = false) async throws {
                let lane = try await store.leaseOne(request(at: seconds))
                let verdict: Settlement.Outcome = isDead ? .dead(failure) : .retry(at: at(seconds), failure)
                try await store.settle(lane, verdict, attempts: attempts, at: seconds)
            }
            func requireCounted(_ store: any WriteStore, since seconds: Int?, first: Int, _ what: String) async throws {
                let lane = try await store.leaseOne(request(at: 100))
                let found = lane.deliveries[0]
                try require(
                    found.countedSince == seconds.map(at) && found.firstAttempt == at(first),
                    "after \(what) it counts since \(String(describing: found.countedSince)), first was "
                        + "\(String(describing: found.firstAttempt))")
                try await store.release(lane)
            }
            try await attempt(store, 0, at: 11)
            try await requireCounted(store, since: nil, first: 11, "one that does not count")
            try await attempt(store, 1, at: 21)
            try await requireCounted(store, since: 21, first: 11, "the first that counts")
            try await attempt(store, 2, at: 31)
            try await attempt(store, 2, at: 41)
            let again = try await subject.reopen?(store, LawUptime()) ?? store
            try await requireCounted(again, since: 21, first: 11, "others")
            try await attempt(again, 3, at: 51, isDead: true)
            try await again.retry("a")
            try await requireCounted(again, since: nil, first: 11, "a person's retry")
            try await attempt(again, 1, at: 61)
            try await requireCounted(again, since: 61, first: 11, "the first after that")
        },
        Law("a dead letter has its attempts, its failure and the receiver's version") { subject in
            let store = try await subject.make()
            let verdicts: [Settlement.Outcome] = [
                .dead(failure), .conflict(DeliveryFailure(.conflict, message: "another"), theirs: [1, 0, 255]),
                .conflict(failure, theirs: []), .conflict(failure, theirs: nil),
            ]
            let entries = verdicts.indices.map { entry("\($0)", lane: "\($0)") }
            try await store.commit(Commit(enqueued: entries))
            for lane in try await store.lease(request()).lanes {
                let verdict = verdicts[Int(lane.lease.lane.name) ?? 0]
                try await store.settle(lane, verdict, attempts: 3, at: 12)
            }
            let letters = try await store.deadLetters(of: nil, after: nil, limit: 10)
            try require(letters.count == verdicts.count, "\(verdicts.count) died, found \(letters.count)")
            for (index, verdict) in verdicts.enumerated() {
                var expected = DeadLetter(
                    entry: entries[index], destination: "api", attempts: 3, failure: failure, diedAt: at(12))
                if case .conflict(let failure, let theirs) = verdict {
                    (expected.failure, expected.theirs) = (failure, theirs)
                }
                try require(letters.contains(expected), "expected \(expected), found \(letters)")
                let state = try await store.state("\(index)")
                try require(
                    state == .dead(attempts: 3, expected.failure), "the record said \(String(describing: state))")
            }
        },
        Law("a settlement under a lease that has passed on is taken only if it is a delivery") { subject in
            let verdicts: [Settlement.Outcome] = [
                .retry(at: at(900), failure), .dead(failure), .conflict(failure, theirs: [1]), .delivered,
            ]
            for verdict in verdicts {
                let clock = LawUptime()
                let store = try await subject.make(clock)
                try await store.enqueue(entry("a"))
                let stale = try await store.leaseOne()
                clock.set(61)
                let holder = try await store.leaseOne()
                // The lane has another holder now. Only a delivery is a fact that no holder can
                // undo.
                try await store.settle(stale, verdict, attempts: 5)
                if verdict == .delivered {
                    try require(try await !store.isHere("a"), "the receiver has a, and it is here")
                    continue
                }
                let state = try await store.state("a")
                try require(
                    state == .pending(attempts: 0, nextAttempt: at(0), nil),
                    "a stale \(verdict) made it \(String(describing: state))")
                clock.set(62)
                let stolen = try await store.leased()
                try require(stolen.isEmpty, "a stale holder gave back the lane of another")
                try await store.settle(holder, .delivered)
                try require(try await !store.isHere("a"), "the holder's settlement was not taken")
            }
        },
        Law("a settlement after its lease has expired is taken unless another holder has the lane") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(entry("a"))
            let lane = try await store.leaseOne()
            // By now the store knows that the lease has expired.
            clock.set(100)
            _ = try await store.lease(request(filter("log")))
            _ = try await store.extend([lane.lease], for: .seconds(60))
            try await store.settle(lane, .dead(failure))
            let state = try await store.state("a")
            try require(state == .dead(attempts: 1, failure), "it was not taken: \(String(describing: state))")
        },
        Law("a settlement of an entry that is gone is no error") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"))
            let lane = try await store.leaseOne()
            try await store.discard("a")
            try await store.settle(lane, .retry(at: at(20), failure), .delivered)
            // The same lane a second time, as after an answer that was lost.
            try await store.settle(lane, .delivered, .dead(failure))
            let records = try await store.records(of: nil, after: nil, limit: 10)
            try require(records.isEmpty, "all was settled, and here are \(records)")
        },
    ]
}
