internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let order: [Law<Subject>] = [
        Law("the entries of a lane come in the order of their commits") { subject in
            let store = try await subject.make()
            let expected = (0..<30).map { "\($0)" }
            for first in stride(from: 0, to: 30, by: 3) {
                // Ids and times in no order.
                try await store.commit(Commit(enqueued: (first..<first + 3).map { entry("\($0)", at: -$0 % 7) }))
            }
            var found: [String] = []
            for _ in 0..<10 {
                let lane = try await store.leaseOne(request(entries: 3))
                found += names(lane)
                try await store.settle(lane, .delivered, .delivered, .delivered)
            }
            try require(found == expected, "committed \(expected), handed out \(found)")
        },
        Law("lanes don't wait for each other") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a1", lane: "a"), entry("b1", lane: "b"), entry("a2", lane: "a"))
            let lanes = try await store.lease(request(entries: 1)).lanes
            try require(
                Set(lanes.map(names)) == [["a1"], ["b1"]], "of two lanes these were handed out: \(lanes.map(names))")
            guard let a = lanes.first(where: { $0.lease.lane.name == "a" }),
                let b = lanes.first(where: { $0.lease.lane.name == "b" })
            else { return try require(false, "handed out under the lanes \(lanes.map(\.lease.lane))") }
            // Lane a waits for its retry, and lane b must not wait with it.
            try await store.settle(a, .retry(at: at(1_000), failure))
            try await store.settle(b, .delivered)
            try await store.enqueue(entry("b2", lane: "b"))
            let next = try await store.leased()
            try require(next == [["b2"]], "while lane a waits to be retried these were handed out: \(next)")
        },
        Law("a retry holds its lane up until its time has come, and is first then") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a"), entry("b"))
            try await store.settle(try await store.leaseOne(), .retry(at: at(100), failure))
            let early = try await store.leased(request(at: 99))
            try require(early.isEmpty, "before the time of the retry \(early) were handed out")
            let late = try await store.leased(request(at: 100))
            try require(late == [["a", "b"]], "at the time of the retry \(late) were handed out")
        },
        Law("an entry that is settled for good does not hold its lane") { subject in
            for verdict in [.dead(failure), .conflict(failure, theirs: nil), .delivered] as [Settlement.Outcome] {
                let store = try await subject.make()
                try await store.enqueue(entry("a"), entry("b"))
                try await store.settle(try await store.leaseOne(request(entries: 1)), verdict)
                let next = try await store.leased()
                try require(next == [["b"]], "after \(verdict) of a \(next) were handed out")
            }
        },
        Law("lanes that have been due longest come first") { subject in
            let store = try await subject.make()
            let times = ["a": 30, "b": 20, "c": 25]
            for name in times.keys.sorted() { try await store.enqueue(entry(name, lane: name)) }
            for lane in try await store.lease(request()).lanes {
                try await store.settle(lane, .retry(at: at(times[lane.lease.lane.name] ?? 0), failure))
            }
            var found: [String] = []
            for _ in 0..<3 { found += try await store.leased(request(at: 40, lanes: 1)).flatMap(\.self) }
            try require(found == ["b", "c", "a"], "due since 30, 20 and 25 were a, b and c, handed out were \(found)")
            // The first was enqueued before the clock was set back to now. Both have been due since
            // now.
            let set = try await subject.make()
            try await set.enqueue(entry("z", lane: "z", at: 86_400), entry("y", lane: "y", at: 10))
            let first = try await set.leased(request(at: 10, lanes: 1))
            try require(first == [["z"]], "of two that are due since now \(first) were handed out")
        },
        Law("a lease keeps to the lanes, entries and bytes asked for, with at least one entry") { subject in
            let store = try await subject.make()
            try await store.enqueue(
                entry("aaaa", lane: "a"), entry("bbb", lane: "a"), entry("c", lane: "a"), entry("d", lane: "d"))
            let asked: [(LeaseRequest, [[String]])] = [
                (request(lanes: 1, entries: 2), [["aaaa", "bbb"]]),
                (request(lanes: 1, bytes: 7), [["aaaa", "bbb"]]), (request(lanes: 1, bytes: 6), [["aaaa"]]),
                (request(lanes: 1, bytes: 1), [["aaaa"]]), (request(), [["aaaa", "bbb", "c"], ["d"]]),
            ]
            for (request, expected) in asked {
                let lanes = try await store.lease(request).lanes
                try require(lanes.map(names) == expected, "expected \(expected), handed out were \(lanes.map(names))")
                for lane in lanes { try await store.release(lane) }
            }
        },
        Law("an entry that was never attempted is due wherever the clock was set") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("a", at: 86_400))
            let found = try await store.leased(request(at: 10))
            try require(found == [["a"]], "a day before the time of the enqueuing \(found) were handed out")
            try await store.enqueue(entry("b", lane: "b", at: 86_400))
            let batch = filter(limits: BatchLimits(entries: 9, wait: .seconds(60)))
            let batched = try await store.leased(request(batch, at: 10))
            try require(
                batched == [["b"]], "of a batch, a day before the time of the enqueuing, \(batched) were handed out")
        },
        Law("a kind that is not asked for stays, and holds its own lane only") { subject in
            let store = try await subject.make()
            try await store.enqueue(
                entry("a1", lane: "a"), entry("a2", lane: "a", kind: "new"), entry("a3", lane: "a"),
                entry("b1", lane: "b", kind: "new"), entry("b2", lane: "b"), entry("c1", lane: "c"))
            let lanes = try await store.lease(request()).lanes
            try require(lanes.map(names) == [["a1"], ["c1"]], "of kind note \(lanes.map(names)) were handed out")
            try await store.settle(lanes[0], .delivered)
            let none = try await store.leased(request(at: 1_000_000))
            try require(none.isEmpty, "behind a kind that was not asked for \(none) were handed out")
            let all = try await store.leased(request(filter(kinds: ["note", "new"])))
            try require(Set(all) == [["a2", "a3"], ["b1", "b2"]], "of both kinds \(all) were handed out")
        },
    ]
}
