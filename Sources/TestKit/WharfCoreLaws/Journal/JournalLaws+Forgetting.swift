internal import WharfChecks
internal import WharfCore
internal import WharfRandom
internal import WharfStorage

extension JournalLaws {
    static let forgetting: [Law<Subject>] = [
        Law("an entry whose dependency may be forgotten is a dead letter") { subject in
            guard let memory = subject.memory else { return }
            let first = try await subject.make()
            // Exactly the first of each kind is forgotten.
            for number in 0...memory {
                try await first.enqueue(numbered(number), numbered(1_000 + number))
                let lanes = try await first.lease(request()).lanes
                try await settle(lanes, delivering: numbered(number).id, giving: "t\(number)", in: first)
                var commit = Commit()
                commit.discarded = [DeliveryID(numbered(1_000 + number).id, to: "api")]
                try await first.commit(commit)
            }
            // One more than the store remembers, so the oldest of each kind is gone.
            let given = try await first.assignedIDs(for: ["t0", "t1"], of: nil)
            try require(
                given == ["t1": "1"], "of \(memory + 1) ids \(memory) are remembered, of the first two \(given)")
            let store = try await subject.reopen?(first, LawUptime()) ?? first
            for (name, dependency) in [
                ("ids", numbered(0).id), ("discarded", numbered(1_000).id), ("between", numbered(500).id),
                ("known", numbered(1).id), ("later", numbered(9_999).id), ("gone", numbered(1_001).id),
            ] {
                var late = entry(name, lane: name)
                late.dependencies = [dependency]
                try await store.enqueue(late)
            }
            let letters = try await store.deadLetters(of: nil, after: nil, limit: 9)
            let found = letters.map { "\(name($0.entry)) \($0.failure.code)" }
            let expected = [
                "ids dependencyForgotten", "discarded dependencyForgotten", "between dependencyForgotten",
                "gone dependencyDiscarded",
            ]
            try require(found == expected, "expected \(expected), dead are \(found)")
            let due = try await store.lease(request()).lanes.flatMap(\.deliveries)
            try require(
                due.map { name($0.entry) } == ["known", "later"] && due.map(\.owed) == [["t1": "1"], [:]],
                "handed out were \(due)")
            try await store.retry("ids")
            let again = try await store.leased()
            try require(again == [["ids"]], "a person has retried one, handed out were \(again)")
        },
        Law("an entry whose dependency is here, but may have assigned forgotten ids, is a dead letter") { subject in
            guard let memory = subject.memory else { return }
            let store = try await subject.make()
            var both = numbered(5)
            both.targets = .all("api", "log")
            var untouched = numbered(1)
            untouched.targets = .all("log")
            try await store.enqueue(both, untouched)
            for number in 0...memory {
                if number > 0 { try await store.enqueue(numbered(1_000 + number)) }
                let lanes = try await store.lease(request()).lanes
                let id = numbered(number == 0 ? 5 : 1_000 + number).id
                try await settle(lanes, delivering: id, giving: "t\(number)", in: store)
            }
            for (name, dependency) in [("late", both.id), ("other", untouched.id)] {
                var late = entry(name, lane: name)
                late.dependencies = [dependency]
                try await store.enqueue(late)
            }
            let letters = try await store.deadLetters(of: nil, after: nil, limit: 9).map { name($0.entry) }
            try require(letters == ["late"], "of one that was delivered to one of two, dead are \(letters)")
            try require(try await store.state("other") == .waiting, "of one that was not attempted it does not wait")
        },
        Law("ids of one entry are forgotten together, and the newest forgotten entry is known") {
            subject in
            guard let memory = subject.memory else { return }
            let store = try await subject.make()
            let (newer, older, both) = (numbered(50), numbered(10), numbered(1))
            try await store.enqueue(newer, older, both)
            for entry in [newer, older] {
                var commit = Commit()
                commit.discarded = [DeliveryID(entry.id, to: "api")]
                try await store.commit(commit)
            }
            try await settle(try await store.lease(request()).lanes, delivering: both.id, giving: "t", "u", in: store)
            for number in 0..<memory {
                try await store.enqueue(numbered(1_000 + number), numbered(2_000 + number))
                let lanes = try await store.lease(request()).lanes
                if number > 0 {
                    let id = numbered(1_000 + number).id
                    try await settle(lanes, delivering: id, giving: "\(number)", in: store)
                } else {
                    try await store.release(lanes[0])
                    try await store.release(lanes[1])
                }
                var commit = Commit()
                commit.discarded = [DeliveryID(numbered(2_000 + number).id, to: "api")]
                try await store.commit(commit)
            }
            let given = try await store.assignedIDs(for: ["t", "u"], of: nil)
            try require(given.isEmpty, "of two ids that came together one had to be forgotten, found \(given)")
            for (name, dependency) in [("newer", newer.id), ("older", older.id), ("both", both.id)] {
                var late = entry(name, lane: name)
                late.dependencies = [dependency]
                try await store.enqueue(late)
            }
            let letters = try await store.deadLetters(of: nil, after: nil, limit: 9).map { name($0.entry) }
            try require(letters == ["newer", "older", "both"], "all three are forgotten, dead are \(letters)")
        },
        Law("ids that come after others of their entry were forgotten do not count as all of them") { subject in
            guard let memory = subject.memory else { return }
            let store = try await subject.make()
            var both = numbered(5)
            both.targets = .all("api", "log")
            try await store.enqueue(both)
            try await settle(try await store.lease(request()).lanes, delivering: both.id, giving: "a", in: store)
            func giveOthers(_ numbers: Range<Int>) async throws {
                for number in numbers {
                    try await store.enqueue(numbered(number))
                    let lanes = try await store.lease(request()).lanes
                    try await settle(lanes, delivering: numbered(number).id, giving: "t\(number)", in: store)
                }
            }
            try await giveOthers(1_000..<1_000 + memory)
            let lanes = try await store.lease(request(filter("log"))).lanes
            try await settle(lanes, delivering: both.id, to: "log", giving: "b", in: store)
            // The remembered ids of the others are older than this one.
            try await giveOthers(2_000..<2_000 + memory - 1)
            var late = entry("late")
            late.dependencies = [both.id]
            try await store.enqueue(late)
            let given = try await store.assignedIDs(for: ["a", "b"], of: nil)
            try require(given == ["b": "1"], "of two the second is remembered, found \(given)")
            let letters = try await store.deadLetters(of: nil, after: nil, limit: 9)
            try require(
                letters.map { "\(name($0.entry)) \($0.failure.code)" } == ["late dependencyForgotten"],
                "of two ids one is forgotten, dead are \(letters)")
            try await giveOthers(3_000..<3_001)
            let later = try await store.assignedIDs(for: ["b", "t2000"], of: nil)
            try require(later == ["t2000": "1"], "another has come, and remembered are \(later)")
        },
        Law("an account that is removed has no forgotten entries") { subject in
            guard let memory = subject.memory else { return }
            let store = try await subject.make()
            for number in 0...memory {
                try await store.enqueue(numbered(number, of: me))
                var commit = Commit()
                commit.discarded = [DeliveryID(numbered(number).id, to: "api")]
                try await store.commit(commit)
            }
            try await store.removeAll(of: me)
            var late = entry("late", of: me)
            late.dependencies = [numbered(0).id]
            try await store.enqueue(late)
            let due = try await store.leased(request(of: me))
            try require(due == [["late"]], "handed out were \(due)")
        },
    ]

    /// Returns an entry whose id sorts by its number.
    static func numbered(_ number: Int, of account: Account? = nil) -> OutboxEntry {
        var random = SeededGenerator(seed: UInt64(number))
        var entry = entry("\(number)", lane: "\(number)", of: account)
        entry.id = OutboxEntry.ID(at: at(number), using: &random)
        return entry
    }

    /// Settles a delivery with an assigned id, and releases all lanes.
    private static func settle(
        _ lanes: [LeasedLane], delivering id: OutboxEntry.ID, to destination: String = "api",
        giving temporary: String..., in store: any WriteStore
    ) async throws {
        var commit = Commit()
        commit.released = lanes.map(\.lease)
        for lane in lanes where lane.deliveries.first?.entry.id == id {
            commit.settled = [
                .init(
                    DeliveryID(id, to: destination), under: lane.lease, .delivered, attempts: 1, attemptedAt: at(10))
            ]
        }
        let ids = Dictionary(uniqueKeysWithValues: temporary.map { ($0, "1") })
        commit.assigned = [IDAssignment(id, ids: ids, dependents: [])]
        try await store.commit(commit)
    }
}
