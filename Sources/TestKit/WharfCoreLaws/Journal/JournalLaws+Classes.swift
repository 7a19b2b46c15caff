internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let classes: [Law<Subject>] = [
        Law("the oldest bounded entries beyond the limit are dropped, unless they are in flight") { subject in
            let store = try await subject.make()
            func bounded(_ name: String, of account: Account? = nil, kind: String = "note") -> OutboxEntry {
                entry(name, lane: name, of: account, kind: kind, .bounded(2))
            }
            try await store.enqueue(
                entry("durable", lane: "durable"), bounded("other", kind: "other"), bounded("mine", of: me),
                bounded("a"))
            let lanes = try await store.lease(request()).lanes
            try require(lanes.map(names) == [["durable"], ["a"]], "handed out were \(lanes.map(names))")
            let none = try await store.enqueue(bounded("b"), bounded("c"))
            try require(none.dropped.isEmpty, "two wait and one is on its way, dropped were \(none.dropped)")
            let dropped = try await store.enqueue(bounded("d"), bounded("e")).dropped
            let expected = ["b", "c"].map { DroppedDelivery(DeliveryID(id($0), to: "api"), kind: "note", .bounded) }
            try require(dropped == expected, "b to e wait for places of two, dropped were \(dropped)")
            for name in ["b", "c"] { try require(try await !store.isHere(name), "\(name) was dropped, and is here") }
            for name in ["a", "d", "e", "durable", "other", "mine"] {
                try require(try await store.isHere(name), "\(name) is gone")
            }
            let counts = try await store.counts(of: nil).dropped
            try require(counts == [.init("api", kind: "note"): [.bounded: 2]], "counted as dropped were \(counts)")
        },
        Law("bounded entries are counted for each destination by itself") { subject in
            let store = try await subject.make()
            let targets = [OutboxEntry.Target].all("api", "log")
            try await store.enqueue(entry("a", .bounded(1), to: targets))
            try await store.settle(try await store.leaseOne(), .delivered)
            let dropped = try await store.enqueue(entry("b", .bounded(1), to: targets)).dropped
            try require(
                dropped == [DroppedDelivery(DeliveryID(id("a"), to: "log"), kind: "note", .bounded)],
                "a waits for log alone, b for both, dropped were \(dropped)")
            try require(try await !store.isHere("a"), "a is delivered here and dropped there, and not gone")
            let found = try await store.leased(request(filter(), filter("log")))
            try require(found == [["b"], ["b"]], "handed out were \(found)")
        },
        Law("an entry whose latest wins drops those before it that were never attempted") { subject in
            let store = try await subject.make()
            func latest(_ name: String, lane: String = "lane", kind: String = "note") -> OutboxEntry {
                entry(name, lane: lane, kind: kind, .expiring(after: .seconds(1_000), latestWins: true))
            }
            try await store.enqueue(latest("attempted"))
            try await store.settle(try await store.leaseOne(), .retry(at: at(5), failure), attempts: 0)
            try await store.enqueue(
                entry("durable"), entry("bounded", .bounded(9)),
                entry("all", .expiring(after: .seconds(1_000), latestWins: false)), latest("old"),
                latest("lane", lane: "other"), latest("kind", kind: "other"))
            let dropped = try await store.enqueue(latest("new")).dropped
            try require(
                dropped == [DroppedDelivery(DeliveryID(id("old"), to: "api"), kind: "note", .replaced)],
                "dropped were \(dropped)")
            let left = try await store.records(of: nil, after: nil, limit: 100).map { name($0.entry) }
            try require(
                left == ["attempted", "durable", "bounded", "all", "lane", "kind", "new"], "these are left: \(left)")
            let counts = try await store.counts(of: nil).dropped
            try require(counts == [.init("api", kind: "note"): [.replaced: 1]], "counted as dropped were \(counts)")
        },
        Law("an entry whose latest wins drops none that is in flight") { subject in
            let store = try await subject.make()
            let latest = DeliveryClass.expiring(after: .seconds(1_000), latestWins: true)
            try await store.enqueue(entry("old", latest))
            let lane = try await store.leaseOne()
            let dropped = try await store.enqueue(entry("new", latest)).dropped
            try require(dropped.isEmpty, "dropped were \(dropped)")
            try await store.settle(lane, .delivered)
            let found = try await store.leased()
            try require(found == [["new"]], "handed out were \(found)")
        },
        Law("an expired entry is dropped when its lane is leased, and not handed out") { subject in
            let store = try await subject.make()
            func expiring(_ name: String, lane: String = "a", after seconds: Int) -> OutboxEntry {
                entry(name, lane: lane, .expiring(after: .seconds(seconds), latestWins: false))
            }
            try await store.enqueue(
                expiring("a1", after: 20), expiring("a2", after: 100), expiring("a3", after: 30),
                entry("d1", lane: "d"),
                expiring("b1", lane: "b", after: 20), entry("c1", lane: "c"))
            let early = try await store.lease(request(at: 19))
            try require(
                early.expired.isEmpty && early.lanes.map(names) == [["a1", "a2", "a3"], ["d1"], ["b1"], ["c1"]],
                "before anything has expired these were handed out: \(early)")
            for lane in early.lanes { try await store.release(lane) }
            // After 20 and 30 seconds, before 100.
            let late = try await store.lease(request(at: 31))
            try require(
                Set(late.lanes.map(names)) == [["a2"], ["d1"], [], ["c1"]],
                "a1, a3 and b1 have expired, these were handed out: \(late.lanes.map(names))")
            let expected = ["a1", "a3", "b1"].map {
                DroppedDelivery(DeliveryID(id($0), to: "api"), kind: "note", .expired)
            }
            try require(Set(late.expired) == Set(expected), "told as expired were \(late.expired)")
            try require(late.expired.count == 3, "told twice were \(late.expired)")
            for name in ["a1", "a3", "b1"] {
                try require(try await !store.isHere(name), "\(name) has expired, and is here")
            }
            let counts = try await store.counts(of: nil).dropped
            try require(counts == [.init("api", kind: "note"): [.expired: 3]], "counted as dropped were \(counts)")
            // Only the lease of b is left.
            try await store.enqueue(entry("b2", lane: "b"))
            let held = try await store.leased(request(at: 31))
            try require(held.isEmpty, "of lanes that are held \(held) were handed out")
            for lane in late.lanes where lane.deliveries.isEmpty { try await store.release(lane) }
            let free = try await store.leased(request(at: 31))
            try require(free == [["b2"]], "of a lane that was given back \(free) were handed out")
        },
    ]
}
