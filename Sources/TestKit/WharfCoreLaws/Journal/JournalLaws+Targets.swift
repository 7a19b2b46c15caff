internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let targets: [Law<Subject>] = [
        Law("each destination has its own lane, its own attempts and its own end") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", to: .all("api", "log")), entry("b", to: .all("log", "api")))
            let api = try await store.leaseOne(request(filter(), entries: 1))
            let log = try await store.leaseOne(request(filter("log")))
            try require(names(log) == ["a", "b"], "while a is on its way to api, log got \(names(log))")
            try await store.settle(api, .retry(at: at(20), failure), attempts: 3)
            try await store.settle(log, .dead(failure), .delivered)
            let states = try await store.record(of: id("a"))?.states
            try require(
                states == [
                    "api": .pending(attempts: 3, nextAttempt: at(20), failure), "log": .dead(attempts: 1, failure),
                ],
                "the states of a are \(String(describing: states))")
            try require(try await store.state("b", at: "log") == .delivered, "b was delivered to log")
            try await store.settle(try await store.leaseOne(request(at: 20)), .delivered, .delivered)
            try require(try await !store.isHere("b"), "b was delivered to both, and is here")
            try require(try await store.state("a") == .delivered, "a was delivered to api")
            // The last open delivery, so the entry has to go with it.
            try await store.discard("a", to: "log")
            try require(try await !store.isHere("a"), "nothing is left to do for a, and it is here")
        },
        Law("a fallback is due when the target before it has failed for good") { subject in
            for failing in ["dead", "discarded", "dropped"] {
                let store = try await subject.make()
                try await store.enqueue(
                    entry("a", .bounded(1), to: .first(of: "api", "mail", "sms")), entry("b", to: .all("mail")),
                    entry("c", lane: "c", to: .all("mail")))
                // "b" is behind the waiting fallback in the same lane, and must not wait for it.
                let early = try await store.lease(request(filter("mail"), filter("sms"), entries: 1)).lanes
                try require(
                    early.map(names) == [["b"], ["c"]],
                    "while api may take a these were handed out: \(early.map(names))")
                for lane in early { try await store.release(lane) }
                try require(try await store.state("a", at: "mail") == .waiting, "the fallback does not wait")
                switch failing {
                case "dead": try await store.settle(try await store.leaseOne(), .dead(failure))
                case "discarded": try await store.discard("a")
                default: try await store.enqueue(entry("new", lane: "new", .bounded(1)))
                }
                let late = try await store.lease(request(filter("mail"))).lanes
                try require(
                    late.map(names) == [["a", "b"], ["c"]],
                    "a was \(failing), these were handed out: \(late.map(names))")
                let none = try await store.leased(request(filter("sms")))
                try require(none.isEmpty, "mail has not failed, to sms were handed out \(none)")
                try await store.settle(late[0], .dead(failure))
                let last = try await store.leaseOne(request(filter("sms")))
                try await store.settle(last, .delivered)
                let state = try await store.state("a", at: "mail")
                try require(
                    state == .dead(attempts: 1, failure), "its dead letter to mail is \(String(describing: state))")
            }
        },
        Law("a fallback is not needed when the target before it has delivered") { subject in
            let store = try await subject.make()
            let targets = [OutboxEntry.Target].first(of: "api", "mail", "sms")
            try await store.enqueue(entry("a", to: targets), entry("b", to: targets + .all("log")))
            try await store.settle(try await store.leaseOne(), .delivered, .delivered)
            try require(try await !store.isHere("a"), "a was delivered by the first, and is here")
            let states = try await store.record(of: id("b"))?.states
            try require(
                states == [
                    "api": .delivered, "mail": .unneeded, "sms": .unneeded,
                    "log": .pending(attempts: 0, nextAttempt: at(0), nil),
                ], "the states of b are \(String(describing: states))")
            let due = try await store.leased(request(filter("mail"), filter("sms"), at: 1_000))
            try require(due.isEmpty, "to unneeded fallbacks were handed out \(due)")
        },
        Law("a fallback of a destination that is no target of the entry is delivered") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", to: [.init("mail", .afterFailure(of: "nobody"))]))
            let found = try await store.leased(request(filter("mail")))
            try require(found == [["a"]], "handed out were \(found)")
        },
        Law("an escalation is due at its time and in its place, unless its entry was delivered by then") { subject in
            let store = try await subject.make()
            let targets: [OutboxEntry.Target] = [
                .init("api"), .init("sms", .unlessDelivered(by: "api", within: .seconds(60))),
            ]
            try await store.enqueue(
                entry("a", to: targets), entry("b", lane: "b", to: targets), entry("c", to: .all("sms")))
            let lanes = try await store.lease(request()).lanes
            try await store.settle(lanes[0], .retry(at: at(500), failure))
            try await store.settle(lanes[1], .delivered)
            try require(try await !store.isHere("b"), "b was delivered in time, and is here")
            let next = try await store.nextDue(request(filter("sms"), at: 20)).time
            try require(next == at(60), "the escalation is due at 60, told was \(String(describing: next))")
            let early = try await store.leaseOne(request(filter("sms"), at: 59))
            try require(names(early) == ["c"], "before its time these were handed out: \(names(early))")
            try await store.release(early)
            let late = try await store.leaseOne(request(filter("sms"), at: 60))
            try require(names(late) == ["a", "c"], "at its time these were handed out: \(names(late))")
            // Its time came before the delivery by api below, which must not undo it.
            try await store.settle(late, .retry(at: at(70), failure))
            try await store.settle(try await store.leaseOne(request(at: 500)), .delivered)
            let again = try await store.leased(request(filter("sms"), at: 500))
            try require(again == [["a", "c"]], "its time had come before the delivery, handed out were \(again)")
        },
        Law("an escalation is due at once if the clock is set back to well before its entry came") { subject in
            let store = try await subject.make()
            let targets: [OutboxEntry.Target] = [
                .init("api"), .init("sms", .unlessDelivered(by: "api", within: .seconds(600))),
            ]
            try await store.enqueue(
                entry("before", lane: "a", to: targets, at: 900), entry("a", lane: "a", to: targets, at: 1_000))
            // A reader may have read the clock just before the entry was enqueued.
            for seconds in [940, 1_000, 1_100] {
                let early = try await store.leased(request(filter("sms"), at: seconds))
                try require(early.isEmpty, "at \(seconds) these were handed out: \(early)")
            }
            let next = try await store.nextDue(request(filter("sms"), at: 940)).time
            try require(next == at(1_500), "the first is due at 1500, told was \(String(describing: next))")
            let late = try await store.leaseOne(request(filter("sms"), at: 939))
            try require(names(late) == ["a"], "at 939 one came later than in a minute, handed out were \(names(late))")
            try await store.release(late)
            let now = try await store.nextDue(request(filter("sms"), at: 10)).time
            try require(now == nil, "long before both had come both are due, told was \(String(describing: now))")
            let all = try await store.leased(request(filter("sms"), at: 10))
            try require(all == [["before", "a"]], "long before both had come these were handed out: \(all)")
        },
        Law("no escalation of a chain comes when the first target has delivered") { subject in
            let store = try await subject.make()
            try await store.enqueue(
                entry(
                    "a",
                    to: [
                        .init("api"), .init("sms", .unlessDelivered(by: "api", within: .seconds(60))),
                        .init("call", .unlessDelivered(by: "sms", within: .seconds(120))),
                    ]))
            try await store.settle(try await store.leaseOne(), .delivered)
            try require(try await !store.isHere("a"), "it was delivered in time, and is here")
            let late = try await store.leased(request(filter("call"), at: 500))
            try require(late.isEmpty, "these were handed out: \(late)")
        },
        Law("an escalation comes at its time even if the target before it is dead") { subject in
            let store = try await subject.make()
            try await store.enqueue(
                entry("a", to: [.init("api"), .init("sms", .unlessDelivered(by: "api", within: .seconds(60)))]))
            try await store.settle(try await store.leaseOne(), .dead(failure))
            let early = try await store.leased(request(filter("sms"), at: 59))
            try require(early.isEmpty, "before its time these were handed out: \(early)")
            let late = try await store.leased(request(filter("sms"), at: 60))
            try require(late == [["a"]], "at its time these were handed out: \(late)")
        },
    ]
}
