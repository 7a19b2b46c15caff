internal import WharfChecks
internal import WharfCore

extension JournalLaws {
    static let random: [Law<Subject>] = [
        Law("no entry is lost, overtaken or leased twice by any sequence of steps", for: .steps, runs: 60) {
            subject, steps in
            let clock = LawUptime()
            var walk = JournalWalk(store: try await subject.make(clock), clock: clock)
            for step in steps { try await walk.take(step) }
            try await walk.drain()
        }
    ]
}

/// A step of a random walk. Indexes are taken modulo the number of elements.
enum JournalStep: Sendable {
    case enqueue(lane: Int, isForBoth: Bool)
    case lease(destination: Int, lanes: Int, entries: Int)
    /// Settles a lease that an owner believes to hold.
    case settle(lease: Int, verdict: Int, isHeld: Bool)
    case extend(lease: Int)
    case retry(Int)
    case discard(Int)
    /// Time passes, and the wall clock is set.
    case wait(uptime: Int, wall: Int)
}

extension Generator where Value == [JournalStep] {
    static var steps: Self {
        .array(
            of: .frequency(
                (
                    4,
                    Generator<JournalStep> {
                        .enqueue(lane: try $0.draw(.int(in: 0...3)), isForBoth: try $0.draw(.bool))
                    }
                ),
                (
                    4,
                    Generator<JournalStep> {
                        .lease(
                            destination: try $0.draw(.int(in: 0...1)), lanes: try $0.draw(.int(in: 1...3)),
                            entries: try $0.draw(.int(in: 1...3)))
                    }
                ),
                (
                    4,
                    Generator<JournalStep> {
                        .settle(
                            lease: try $0.draw(.int(in: 0...9)), verdict: try $0.draw(.int(in: 0...9)),
                            isHeld: try $0.draw(.int(in: 0...9)) == 9)
                    }
                ), (1, Generator<JournalStep> { .extend(lease: try $0.draw(.int(in: 0...9))) }),
                (1, Generator<JournalStep> { .retry(try $0.draw(.int(in: 0...99))) }),
                (1, Generator<JournalStep> { .discard(try $0.draw(.int(in: 0...99))) }),
                (
                    2,
                    Generator<JournalStep> {
                        .wait(uptime: try $0.draw(.int(in: 0...70)), wall: try $0.draw(.int(in: -1_000...1_000)))
                    }
                )),
            count: 0...80)
    }
}
