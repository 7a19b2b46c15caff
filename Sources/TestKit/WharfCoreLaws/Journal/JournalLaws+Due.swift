internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    private static func batch(entries: Int = 3, bytes: Int = 1_000, wait: Int = 60) -> LeaseRequest.DestinationFilter {
        filter(limits: BatchLimits(entries: entries, bytes: bytes, wait: .seconds(wait)))
    }

    static let due: [Law<Subject>] = [
        Law("a batch is due when it is full, or its first entry has waited") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", at: 0), entry("b", at: 9))
            let early = try await store.leased(request(batch(), at: 59))
            try require(early.isEmpty, "two of three have not waited, handed out were \(early)")
            for (filter, seconds) in [
                (batch(), 60), (batch(entries: 2), 10), (batch(bytes: 2), 10), (batch(wait: 0), 10),
            ] {
                let lane = try await store.leaseOne(request(filter, at: seconds))
                try require(
                    names(lane) == ["a", "b"], "of \(filter.limits) at \(seconds) were handed out \(names(lane))")
                try await store.release(lane)
            }
            try await store.enqueue(entry("c", at: 10))
            let full = try await store.leased(request(batch(), at: 10))
            try require(full == [["a", "b", "c"]], "three of three were here, handed out were \(full)")
        },
        Law("only entries that can be handed out make a batch full") { subject in
            let store = try await subject.make()
            try await store.enqueue(
                entry("a", lane: "a"), entry("new", lane: "a", kind: "new"), entry("b", lane: "a"),
                entry("c", lane: "c"), entry("d", lane: "c", after: "a"))
            // Behind "new" its lane is held, and "d" waits for "a". So only "a" and "c" can go, one
            // in each lane.
            let early = try await store.leased(request(batch(entries: 2), at: 10))
            try require(early.isEmpty, "one and one can be handed out of two, handed out were \(early)")
        },
        Law("the next due time is the earliest that is still to come") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            func next(_ request: LeaseRequest) async throws -> Int? {
                try await store.nextDue(request).time.map { Int(($0 - start).components.seconds) }
            }
            func require(_ found: Int?, is expected: Int?, _ when: String) throws {
                try WharfChecks.require(
                    found == expected,
                    "\(when), expected \(String(describing: expected)), told \(String(describing: found))")
            }
            try require(try await next(request()), is: nil, "in an empty journal")
            try await store.enqueue(entry("a", lane: "a"), entry("new", lane: "new", kind: "new"))
            try require(try await next(request()), is: nil, "with what is due now, or of no kind that is asked for")
            try require(try await next(request(batch())), is: 60, "with a batch that is not full")
            clock.set(100)
            let lane = try await store.leaseOne()
            clock.set(130)
            let held = try await store.nextDue(request(at: 20))
            try WharfChecks.require(
                held == NextDue(leaseEndsAfter: .seconds(30)), "with 30 seconds of a lease to go, told was \(held)")
            try await store.settle(lane, .retry(at: at(500), failure))
            try require(try await next(request(at: 20)), is: 500, "with a retry")
            try require(try await next(request(at: 500)), is: nil, "with a retry that is due")
            try await store.enqueue(entry("b", lane: "b"), entry("c", lane: "c", after: "b"))
            try await store.settle(try await store.leaseOne(), .retry(at: at(300), failure))
            try require(try await next(request(at: 20)), is: 300, "with retries at 300 and 500")
            try require(try await next(request(at: 300)), is: 500, "with retries at 300, which is now, and 500")
            try require(try await next(request(filter("log"))), is: nil, "for another destination")
            try require(try await next(request(of: me)), is: nil, "for another account")
        },
        Law("a retry is due at once if the clock is set back to before its attempt") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(entry("a"), entry("b"), entry("c", lane: "c"))
            for lane in try await store.lease(request(at: 1_000)).lanes {
                let isFirst = names(lane).contains("a")
                try await store.settle(
                    lane, .retry(at: at(isFirst ? 1_600 : 1_700), failure), at: isFirst ? 1_000 : 900)
            }
            let early = try await store.leased(request(at: 1_000))
            try require(early.isEmpty, "at the time of the attempt \(early) were handed out")
            // At 999 the first attempt lies in the future, so its retry is due already. The other
            // was attempted at 900.
            for (seconds, expected) in [(1_000, 1_600), (999, 1_700)] {
                let next = try await store.nextDue(request(at: seconds)).time
                try require(next == at(expected), "at \(seconds) something is due at \(String(describing: next))")
            }
            let batch = filter(limits: BatchLimits(entries: 2, wait: .seconds(60)))
            let lane = try await store.leaseOne(request(batch, at: 999))
            try require(names(lane) == ["a", "b"], "of a batch \(names(lane)) were handed out")
            try await store.release(lane)
            let found = try await store.leased(request(at: 999))
            try require(found == [["a", "b"]], "before the time of the attempt \(found) were handed out")
            clock.set(100)
            let all = try await store.leased(request(at: 10))
            try require(all == [["a", "b"], ["c"]], "long before that \(all) were handed out")
        },
        Law("a dead letter that is retried is due at once, wherever the clock was set") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", at: 1_000))
            try await store.settle(try await store.leaseOne(request(at: 5)), .dead(failure), at: 5)
            try await store.retry("a")
            let found = try await store.leased(request(at: 10))
            try require(found == [["a"]], "before the time of the enqueuing \(found) were handed out")
        },
        Law("a listener hears of each commit that makes something due or rewrites an entry") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"), entry("c", lane: "c", after: "b"), entry("x", of: me))
            try await store.pause("api", of: me)
            func hear(_ what: String, _ body: () async throws -> Void) async throws {
                let notifications = store.notifications()
                try await body()
                try require(await JournalLaws.hasNews(notifications), "no listener heard of \(what)")
            }
            try await hear("a new entry") { try await store.enqueue(entry("d", lane: "d")) }
            let lane = try await store.leaseOne(request(lanes: 1))
            try await hear("a lane that was given back") { try await store.release(lane) }
            let again = try await store.leaseOne(request(lanes: 1))
            try await hear("a settlement") { try await store.settle(again, .dead(failure), .delivered) }
            try await hear("a retried dead letter") { try await store.retry("a") }
            try await hear("what was discarded") { try await store.discard("a") }
            try await hear("a rewritten entry") {
                var rewrite = Commit()
                rewrite.rewritten = [Rewrite(id("d"), payload: [9])]
                try await store.commit(rewrite)
            }
            try await hear("a destination that was resumed") { try await store.resume("api", of: me) }
            try await hear("an account that was removed") { try await store.removeAll(of: me) }
        },
        Law("each of several listeners hears of a commit") { subject in
            let store = try await subject.make()
            let listeners = (0..<3).map { _ in store.notifications() }
            try await store.enqueue(entry("a"))
            for notifications in listeners { try require(await hasNews(notifications), "one of three did not hear") }
        },
    ]

    /// Returns whether a notification came by now.
    private static func hasNews(_ notifications: AsyncStream<Void>) async -> Bool {
        let reader = Task {
            // Read only after the cancellation, because a cancelled reader does not wait.
            while !Task.isCancelled { await Task.yield() }
            var iterator = notifications.makeAsyncIterator()
            return await iterator.next(isolation: nil) != nil
        }
        reader.cancel()
        return await reader.value
    }
}
