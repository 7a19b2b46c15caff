internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let leases: [Law<Subject>] = [
        Law("a lane that is held is not handed out again") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"))
            let lane = try await store.leaseOne(request(entries: 1))
            let second = try await store.leased()
            try require(second.isEmpty, "while a was held \(second) were handed out")
            try await store.settle(lane, .delivered, isHeld: true)
            let third = try await store.leased()
            try require(third.isEmpty, "after a was settled, and its lane was not given back, \(third) were handed out")
            // The lane is empty for a moment. A store that drops empty lanes loses the lease here.
            try await store.discard("b")
            try await store.enqueue(entry("c"))
            let fourth = try await store.leased()
            try require(fourth.isEmpty, "of a lane that was empty while it was held \(fourth) were handed out")
        },
        Law("concurrent requests lease different lanes") { subject in
            let store = try await subject.make()
            try await store.commit(Commit(enqueued: (0..<40).map { entry("\($0)", lane: "\($0 % 20)") }))
            // Eight times three is more than twenty, so all lanes are asked for.
            let taken = try await withThrowingTaskGroup(of: [LeasedLane].self) { group in
                for _ in 0..<8 { group.addTask { try await store.lease(request(lanes: 3)).lanes } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let lanes = Set(taken.map(\.lease.lane))
            try require(lanes.count == taken.count, "\(taken.count) leases were of \(lanes.count) lanes")
            try require(lanes.count == 20, "of 20 lanes \(lanes.count) were handed out to 8 requests for 3 each")
        },
        Law("lanes that are left out are not handed out, and take no other's place") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.commit(
                Commit(enqueued: (0..<6).map { entry("\($0)", lane: "\($0)", to: .all("api", "log"), at: $0) }))
            let left = Set(
                ["0", "1", "3"].map { Lease.Lane(name: $0, destination: "api") } + [.init(name: "2", destination: "a")])
            // The second round is before their time: the clock was set back.
            for (round, seconds) in [10, -10].enumerated() {
                clock.set(round * 100)
                var some = request(at: seconds, lanes: 2)
                some.except = left
                for expected in [["2", "4"], ["5"], []] {
                    let found = try await store.leased(some).flatMap(\.self)
                    try require(
                        found == expected, "without 0, 1 and 3, at \(seconds), expected \(expected), found \(found)")
                }
            }
            var others = request(filter("log"), lanes: 2)
            others.except = left
            let log = try await store.leased(others)
            try require(log == [["0"], ["1"]], "of another destination \(log) were handed out")
            clock.set(100)
            let rest = try await store.leased()
            try require(rest == [["0"], ["1"], ["3"]], "those that were left out are \(rest)")
        },
        Law("a lane that is released is free, with its deliveries as they were") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"))
            let lane = try await store.leaseOne()
            try await store.release(lane)
            let again = try await store.leaseOne()
            try require(again.deliveries == lane.deliveries, "given back \(lane), handed out \(again)")
        },
        Law("a second release of a lease does not free the lane of the next holder") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"))
            let lane = try await store.leaseOne()
            try await store.release(lane)
            _ = try await store.leaseOne()
            try await store.release(lane)
            let found = try await store.leased()
            try require(found.isEmpty, "\(found) were handed out after the one before had given it back twice")
        },
        Law("a lease runs out by the store's clock, and the clock on the wall changes nothing") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(entry("a"))
            _ = try await store.leaseOne()
            for seconds in [10, 1_000_000_000, -900_000_000] {
                clock.set(59)
                let found = try await store.leased(request(at: seconds))
                try require(
                    found.isEmpty, "after 59 of 60 seconds, with the clock at \(seconds), \(found) were handed out")
            }
            for (index, seconds) in [10, 1_000_000_000, -900_000_000].enumerated() {
                clock.set(61 * (index + 1))
                let found = try await store.leased(request(at: seconds))
                try require(
                    found == [["a"]], "after 61 of 60 seconds, with the clock at \(seconds), \(found) were handed out")
            }
        },
        Law("no lease outlives a restart of the machine") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(entry("a"))
            clock.set(1_000)
            _ = try await store.leaseOne()
            // The uptime of another boot says nothing about leases of the first.
            clock.set(1, boot: "second")
            let found = try await store.leased()
            try require(found == [["a"]], "after a restart \(found) were handed out")
        },
        Law("the number of a lease is greater than those before") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(entry("a", lane: "a"), entry("b", lane: "b"))
            var last = Int64.min
            for round in 0..<5 {
                clock.set(round * 100)
                let lanes = try await store.lease(request()).lanes
                for number in lanes.map(\.lease.number).sorted() {
                    try require(number > last, "after \(last) came \(number)")
                    last = number
                }
                if round % 2 == 0 { for lane in lanes { try await store.release(lane) } }
            }
        },
        Law("a lease can be extended while it is held") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(entry("a", lane: "a"), entry("b", lane: "b"))
            let lanes = try await store.lease(request()).lanes
            clock.set(30)
            let held = try await store.extend([lanes[0].lease], for: .seconds(60))
            try require(held == [lanes[0].lease], "extending a told that \(held) are held")
            clock.set(80)
            let early = try await store.leased()
            try require(early == [["b"]], "a was extended to 90 and b was not, at 80 \(early) were handed out")
            clock.set(91)
            let late = try await store.leased()
            try require(late == [["a"]], "a was extended to 90, at 91 \(late) were handed out")
        },
        Law("a lease that is no longer held can't be extended") { subject in
            let clock = LawUptime()
            let store = try await subject.make(clock)
            try await store.enqueue(entry("a"))
            let first = try await store.leaseOne()
            clock.set(61)
            let late = try await store.extend([first.lease], for: .seconds(60))
            try require(late.isEmpty, "a lease that had run out was extended")
            clock.set(62)
            let second = try await store.leaseOne()
            clock.set(63)
            let passed = try await store.extend([first.lease, second.lease], for: .seconds(60))
            try require(passed == [second.lease], "of a lease that has passed and the one after \(passed) were held")
            try await store.release(second)
            clock.set(64)
            let back = try await store.extend([second.lease], for: .seconds(60))
            try require(back.isEmpty, "a lease that was given back was extended")
        },
    ]
}
