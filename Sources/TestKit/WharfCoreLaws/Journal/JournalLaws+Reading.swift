internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    static let reading: [Law<Subject>] = [
        Law("an entry comes back as it was") { subject in
            let store = try await subject.make()
            let classes: [DeliveryClass] = [
                .durable, .bounded(0x1_0000_0000), .expiring(after: .nanoseconds(1), latestWins: false),
                .expiring(after: .seconds(1_000_000_000), latestWins: true),
            ]
            for (index, deliveryClass) in classes.enumerated() {
                var entry = OutboxEntry(
                    id: id("\(index)"), lane: "lane '\0\u{1F600}", kind: .init("kind %", version: index - 1),
                    payload: index == 0 ? [] : Array(0...255),
                    targets: [
                        .init("z"), .init("b", .afterFailure(of: "z")), .init(""),
                        .init("a", .unlessDelivered(by: "z", within: .milliseconds(1_500))),
                    ], enqueuedAt: index == 0 ? WallTime(nanoseconds: 1) : at(0) + .nanoseconds(7))
                entry.account = Account("\u{E9}'\0")
                entry.base = index == 0 ? nil : index == 1 ? [] : [0, 1]
                if index != 2 { entry.key = IdempotencyKey("\"k\" \(index)") }
                entry.deliveryClass = deliveryClass
                entry.dependencies = index == 0 ? [] : [id("0"), id("gone")]
                try await store.enqueue(entry)
                let found = try await store.record(of: entry.id)
                try require(found?.entry == entry, "put \(entry), found \(String(describing: found))")
                let first: OutboxRecord.State =
                    index == 0 ? .pending(attempts: 0, nextAttempt: entry.enqueuedAt, nil) : .waiting
                try require(
                    found?.states == ["z": first, "b": .waiting, "": first, "a": .waiting],
                    "its states are \(String(describing: found?.states))")
            }
        },
        Law("an empty journal answers with nothing, and no error") { subject in
            let store = try await subject.make()
            try require(try await !store.isHere("a"), "an empty journal had a record")
            try require(try await store.dependents(of: id("a")).isEmpty, "an empty journal had dependents")
            try require(try await store.records(of: nil, after: nil, limit: 9).isEmpty, "an empty journal had records")
            try require(try await store.deadLetters(of: nil, after: nil, limit: 9).isEmpty, "it had dead letters")
            try require(try await store.counts(of: nil) == OutboxCounts(), "an empty journal had counts")
            try require(try await store.assignedIDs(for: ["t"], of: nil).isEmpty, "an empty journal had ids")
            try require(try await store.lease(request()) == LeaseResult(), "an empty journal had lanes")
            try await store.commit(Commit())
        },
        Law("records come in the order of their commits, page by page") { subject in
            let store = try await subject.make()
            let expected = (0..<25).map { "\($0)" }
            for name in expected {
                try await store.enqueue(
                    entry(name, lane: name, kind: name.hasSuffix("3") ? "draft" : "note", at: -(Int(name) ?? 0) % 5),
                    entry("other \(name)", of: me))
            }
            for limit in [1, 7, 25, 100] {
                var (found, after): ([String], Int64?) = ([], nil)
                while true {
                    let page = try await store.records(of: nil, after: after, limit: limit)
                    try require(page.count <= limit, "a page of \(limit) had \(page.count)")
                    guard let last = page.last else { break }
                    found += page.map { name($0.entry) }
                    after = last.position
                    try require(found.count <= 25, "pages of \(limit) have no end: \(found)")
                }
                try require(found == expected, "by \(limit) found \(found)")
            }
        },
        Law("the position of a record rises with the commits, and stays") { subject in
            let store = try await subject.make()
            // The clock was set back, so the ids decrease.
            let names = ["c", "b", "a"]
            for name in names { try await store.enqueue(entry(name, lane: "lane")) }
            let before = try await store.records(of: nil, after: nil, limit: 9).map(\.position)
            let isRising = zip(before, before.dropFirst()).allSatisfy(<)
            try require(before.count == 3 && isRising, "they are at \(before)")
            for lane in try await store.lease(request()).lanes { try await store.settle(lane, .dead(failure)) }
            let letters = try await store.deadLetters(of: nil, after: nil, limit: 9).map(\.id)
            var commit = Commit()
            commit.retried = letters
            try await store.commit(commit)
            for (name, position) in zip(names, before) {
                let found = try await store.record(of: id(name))?.position
                try require(found == position, "\(name) was at \(position), and is at \(String(describing: found))")
            }
        },
        Law("records of one kind come alone, page by page") { subject in
            let store = try await subject.make()
            for index in 0..<9 {
                try await store.enqueue(entry("\(index)", kind: index % 3 == 0 ? "rare" : "note"))
            }
            for (kind, expected) in [
                ("rare", ["0", "3", "6"]), ("note", ["1", "2", "4", "5", "7", "8"]), ("none", []),
            ] {
                var (found, after): ([String], Int64?) = ([], nil)
                while let last = try await store.records(of: nil, kind: kind, after: after, limit: 2).last {
                    found += try await store.records(of: nil, kind: kind, after: after, limit: 2).map { name($0.entry) }
                    after = last.position
                    try require(found.count <= 9, "pages of \(kind) have no end: \(found)")
                }
                try require(found == expected, "of \(kind) found \(found)")
            }
        },
        Law("a page continues even if the last record of the one before is gone") { subject in
            let store = try await subject.make()
            func entry(_ number: Int, of account: Account? = nil) -> OutboxEntry {
                let kind = number % 2 == 0 ? "note" : "draft"
                var entry = JournalLaws.entry("\(number)", lane: "\(number % 3)", of: account, kind: kind)
                // An id of a clock that goes right.
                entry.id = OutboxEntry.ID("00\(number)")
                return entry
            }
            try await store.enqueue(
                entry(1), entry(2), entry(3), entry(4, of: me), entry(5), entry(6), entry(7, of: me))
            let lanes = try await store.lease(request(filter(kinds: ["note", "draft"]))).lanes
            for lane in lanes {
                // 3 and 6 are in one lane, 2 and 5 in another.
                try await store.settle(lane, .dead(failure), .dead(failure))
            }
            func letters(after number: Int) async throws -> [String] {
                let after = DeliveryID(OutboxEntry.ID("00\(number)"), to: "api")
                return try await store.deadLetters(of: nil, after: after, limit: 9).map { name($0.entry) }
            }
            try require(try await letters(after: 3) == ["5", "6"], "behind 3 other dead letters came")
            let records = try await store.records(of: nil, after: nil, limit: 9)
            let places = Dictionary(records.map { (name($0.entry), $0.position) }) { first, _ in first }
            for number in [3, 6] {
                var commit = Commit()
                commit.discarded = [DeliveryID(OutboxEntry.ID("00\(number)"), to: "api")]
                try await store.commit(commit)
            }
            for (after, expected) in [(3, ["5"]), (6, [])] {
                let found = try await store.records(of: nil, after: places["\(after)"], limit: 9)
                try require(
                    found.map { name($0.entry) } == expected,
                    "behind \(after), which is gone, found \(found.map(\.entry.id))")
            }
            for (after, expected) in [(3, ["5"]), (4, ["5"]), (6, []), (0, ["1", "2", "5"])] {
                let dead = try await letters(after: after)
                try require(dead == expected, "of dead letters behind \(after) found \(dead)")
            }
        },
        Law("an entry that is committed later is on a later page, whatever its id is") { subject in
            let store = try await subject.make()
            try await store.enqueue(entry("c", lane: "gone"), entry("b", lane: "stays"))
            let last = try await store.records(of: nil, after: nil, limit: 9).last?.position
            var commit = Commit()
            commit.discarded = [DeliveryID(id("b"), to: "api"), DeliveryID(id("c"), to: "api")]
            try await store.commit(commit)
            // The clock was set back, and no entry of before is left.
            try await store.enqueue(entry("a", lane: "new"))
            let found = try await store.records(of: nil, after: last, limit: 9).map { name($0.entry) }
            try require(found == ["a"], "behind the last entry, which is gone, found \(found)")
        },
        Law("dead letters come the oldest first, page by page") { subject in
            let store = try await subject.make()
            let targets = [OutboxEntry.Target].all("z", "api")
            let expected = (0..<9).flatMap { ["\($0) z", "\($0) api"] }
            for index in 0..<9 {
                try await store.enqueue(entry("\(index)", to: targets), entry("alive \(index)", lane: "alive"))
                for filter in [filter("z"), filter()] {
                    let lanes = try await store.lease(request(filter, at: 10 + index)).lanes
                    for lane in lanes {
                        if lane.lease.lane.name == "alive" {
                            try await store.release(lane)
                        } else {
                            try await store.settle(lane, .dead(failure), at: 10 + index)
                        }
                    }
                }
            }
            for limit in [1, 4, 18, 100] {
                var (found, after): ([String], DeliveryID?) = ([], nil)
                while true {
                    let page = try await store.deadLetters(of: nil, after: after, limit: limit)
                    try require(page.count <= limit, "a page of \(limit) had \(page.count)")
                    guard let last = page.last else { break }
                    found += page.map { "\(name($0.entry)) \($0.destination)" }
                    after = last.id
                    try require(found.count <= 18, "pages of \(limit) have no end: \(found)")
                }
                try require(found == expected, "by \(limit) found \(found)")
            }
        },
        Law("deliveries are counted by their state") { subject in
            let store = try await subject.make()
            let targets: [OutboxEntry.Target] = .first(of: "api", "mail") + .all("log")
            try await store.enqueue(
                entry("a", lane: "a", to: targets), entry("b", lane: "b", to: targets),
                entry("c", lane: "c", to: targets), entry("d", lane: "d", kind: "draft", after: "a"))
            let (api, mail, log, draft) = (
                OutboxCounts.Route("api", kind: "note"), OutboxCounts.Route("mail", kind: "note"),
                OutboxCounts.Route("log", kind: "note"), OutboxCounts.Route("api", kind: "draft")
            )
            func expect(
                _ pending: [OutboxCounts.Route: Int], dead: [OutboxCounts.Route: Int], _ when: String
            ) async throws {
                let counts = try await store.counts(of: nil)
                try require(
                    counts.pending == pending && counts.dead == dead && counts.dropped.isEmpty
                        && counts.paused.isEmpty,
                    "\(when), expected \(pending) and dead \(dead), found \(counts)")
            }
            try await expect([api: 3, mail: 3, log: 3, draft: 1], dead: [:], "waiting, pending")
            let lanes = try await store.lease(request()).lanes
            // A delivery in flight is still to be made, so it counts as pending.
            try await expect([api: 3, mail: 3, log: 3, draft: 1], dead: [:], "on their way")
            try await store.settle(lanes[0], .delivered)
            try await store.settle(lanes[1], .dead(failure))
            try await store.settle(lanes[2], .retry(at: at(20), failure))
            try await expect([api: 1, mail: 2, log: 3, draft: 1], dead: [api: 1], "delivered, dead, to be retried")
            try await store.retry("b")
            try await expect([api: 2, mail: 2, log: 3, draft: 1], dead: [:], "retried")
            try await store.discard("b")
            try await expect([api: 1, mail: 2, log: 3, draft: 1], dead: [:], "discarded")
        },
        Law("the oldest entry of a destination is the first that is to be delivered") { subject in
            let store = try await subject.make()
            try require(try await store.oldestPending(of: nil).isEmpty, "an empty journal had an oldest entry")
            try await store.enqueue(
                entry("a", lane: "a", at: 1), entry("b", lane: "b", to: .all("api", "log"), at: 2),
                entry("c", lane: "a", at: 3), entry("other", of: Account("somebody"), at: 0))
            func expect(_ oldest: [String: WallTime], _ when: String) async throws {
                let found = try await store.oldestPending(of: nil)
                try require(found == oldest, "\(when), expected \(oldest), found \(found)")
            }
            try await expect(["api": at(1), "log": at(2)], "pending")
            let lanes = try await store.lease(request()).lanes
            try await expect(["api": at(1), "log": at(2)], "on their way")
            try await store.settle(lanes[0], .delivered)
            try await expect(["api": at(2), "log": at(2)], "with the first delivered")
            try await store.settle(lanes[1], .dead(failure))
            try await expect(["api": at(3), "log": at(2)], "with a dead letter")
        },
    ]
}
