internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let owners: [Law<Subject>] = [
        Law("a lane whose owner is dead is free at once") { subject in
            guard let join = subject.join, let kill = subject.kill else { return }
            let clock = LawUptime()
            let dead = try await subject.make(clock)
            try await dead.enqueue(entry("a"), entry("b"), entry("c", lane: "other"))
            let lanes = try await dead.lease(request(lanes: 1)).lanes
            try require(lanes.map(names) == [["a", "b"]], "of one lane \(lanes.map(names)) were handed out")
            let store = try await join(dead, clock)
            // The owner lives, so the second one gets the other lane only.
            let third = try await store.lease(request(lanes: 1)).lanes
            try await kill(dead)
            let found = try await store.lease(request()).lanes
            try require(
                found.map(names) == [["a", "b"]],
                "a second owner held \(third.map(names)) and lived; of a dead one \(found.map(names)) were handed out")
            clock.set(1)
            let held = try await store.extend((lanes + found).map(\.lease), for: .seconds(60))
            try require(held == Set(found.map(\.lease)), "after the takeover \(held) were held")
            // The dead owner's result, which comes late. The new holder decides.
            try await store.settle(lanes[0], .dead(failure), isHeld: true)
            let state = try await store.state("a")
            try require(
                state.map { if case .pending = $0 { true } else { false } } == true,
                "under the lease of a dead owner a became \(String(describing: state))")
        },
        Law("an owner that lives keeps its lane until the time has run out") { subject in
            guard let join = subject.join else { return }
            let clock = LawUptime()
            let first = try await subject.make(clock)
            try await first.enqueue(entry("a"))
            let lane = try await first.leaseOne()
            let second = try await join(first, clock)
            clock.set(59)
            let early = try await second.leased()
            try require(early.isEmpty, "after 59 of 60 seconds of an owner that lives \(early) were handed out")
            let next = try await second.nextDue(request())
            try require(
                next == NextDue(leaseEndsAfter: .seconds(1)),
                "with one second of a lease to go, another owner was told \(next)")
            let held = try await first.extend([lane.lease], for: .seconds(60))
            try require(held == [lane.lease], "after another owner had asked, its owner held \(held)")
            // The process of the first owner was stopped for this long.
            clock.set(120)
            let late = try await second.leased()
            try require(late == [["a"]], "after 61 seconds without an extension \(late) were handed out")
            clock.set(121)
            let lost = try await first.extend([lane.lease], for: .seconds(60))
            try require(lost.isEmpty, "a lease that has passed to another owner was extended by the first")
        },
        Law("an entry that a dead owner had leased is not rewritten under its key") { subject in
            guard let join = subject.join, let kill = subject.kill else { return }
            let clock = LawUptime()
            let dead = try await subject.make(clock)
            try await dead.enqueue(entry("a"))
            _ = try await dead.leaseOne()
            let store = try await join(dead, clock)
            try await kill(dead)
            // The store notes the death, and leases nothing.
            _ = try await store.leased(request(lanes: 0))
            try await requireChanged("a rewrite of what a dead owner had") {
                var commit = Commit()
                commit.rewritten = [Rewrite(id("a"), payload: [9])]
                try await store.commit(commit)
            }
        },
    ]
}
