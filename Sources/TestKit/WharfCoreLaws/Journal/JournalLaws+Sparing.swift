internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension JournalLaws {
    /// The entries that must not be forgotten, and for which dependents.
    static let sparing: [Law<Subject>] = [
        Law("only durable entries that are discarded take a place in the memory") { subject in
            guard let memory = subject.memory else { return }
            let store = try await subject.make()
            try await store.enqueue(numbered(500))
            try await store.discard(numbered(500))
            for number in 0...memory {
                var (bounded, expiring) = (numbered(number), numbered(1_000 + number))
                bounded.deliveryClass = .bounded(1_000)
                expiring.deliveryClass = .expiring(after: .seconds(9_999), latestWins: false)
                try await store.enqueue(bounded, expiring)
                try await store.discard(bounded)
                try await store.discard(expiring)
            }
            for (name, number) in [("late", 500), ("bounded", 0), ("expiring", 1_000), ("older", 100)] {
                try await store.enqueue(dependent(name, after: number))
            }
            let letters = try await store.letters(of: nil)
            try require(
                letters == ["late dependencyDiscarded"],
                "others of other classes were discarded, and one that was durable; dead are \(letters)")
            let due = try await store.leased()
            try require(
                due == [["bounded"], ["expiring"], ["older"]],
                "of what is not remembered nothing is in the way, handed out were \(due)")
        },
        Law("an entry takes one place in the memory, however many of its deliveries are discarded") { subject in
            guard let memory = subject.memory else { return }
            let store = try await subject.make()
            for number in 0..<memory {
                var both = numbered(number)
                both.targets = .all("api", "log")
                try await store.enqueue(both)
                // Twice per entry. A store that counts deliveries would forget half of them.
                for destination in ["api", "log"] { try await store.discard(both, to: destination) }
            }
            try await store.enqueue(dependent("late", after: 0))
            let letters = try await store.letters(of: nil)
            try require(
                letters == ["late dependencyDiscarded"], "of \(memory) the first is not known: dead are \(letters)")
        },
        Law("forgotten entries of one account do not affect another account") { subject in
            guard let memory = subject.memory else { return }
            let store = try await subject.make()
            for number in 1_000...1_000 + memory {
                try await store.enqueue(numbered(number, of: me))
                try await store.discard(numbered(number))
            }
            try await store.enqueue(dependent("mine", after: 0, of: me), dependent("nobody's", after: 0))
            let found = try await (store.letters(of: me), store.letters(of: nil))
            try require(
                found == (["mine dependencyForgotten"], []), "dead are \(found.0), and without an account \(found.1)")
            let due = try await store.leased()
            try require(due == [["nobody's"]], "handed out were \(due)")
        },
    ]

    private static func dependent(_ name: String, after number: Int, of account: Account? = nil) -> OutboxEntry {
        var late = entry(name, lane: name, of: account)
        late.dependencies = [numbered(number).id]
        return late
    }
}

extension WriteStore {
    fileprivate func discard(_ entry: OutboxEntry, to destination: String = "api") async throws {
        var commit = Commit()
        commit.discarded = [DeliveryID(entry.id, to: destination)]
        try await self.commit(commit)
    }

    /// Returns the dead letters of an account with their reasons.
    fileprivate func letters(of account: Account?) async throws -> [String] {
        try await deadLetters(of: account, after: nil, limit: 99).map {
            "\(JournalLaws.name($0.entry)) \($0.failure.code)"
        }
    }
}
