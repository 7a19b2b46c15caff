import Testing
import WharfFakes

@Suite struct SeededSchedulerTests {
    private static func order(seed: UInt64) throws -> [Int] {
        try SeededScheduler(seed: seed).run { _ in
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<5 {
                    group.addTask {
                        await Task.yield()
                        return number
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
    }

    @Test func theSameSeedGivesTheSameOrder() throws {
        for seed in 1...20 as ClosedRange<UInt64> { #expect(try Self.order(seed: seed) == Self.order(seed: seed)) }
    }

    @Test func someSeedGivesEachOrder() throws {
        let orders = try (1...5_000 as ClosedRange<UInt64>).map(Self.order)
        #expect(Set(orders).count == 120)
    }

    @Test func actorsRunOnTheScheduler() throws {
        actor Counter {
            var value = 0

            func next() { value += 1 }
        }
        let value = try SeededScheduler(seed: 1).run { _ in
            let counter = Counter()
            await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { await counter.next() } }
            }
            return await counter.value
        }
        #expect(value == 100)
    }

    @Test func tasksLeftByTheBodyRunToTheEnd() throws {
        let gate = Gate()
        try SeededScheduler(seed: 1).run { scheduler in
            _ = Task(executorPreference: scheduler) {
                for _ in 0..<10 { await Task.yield() }
                gate.open()
            }
        }
        // The gate is open, so this does not wait.
        try SeededScheduler(seed: 1).run { _ in await gate.pass() }
    }

    @Test func deadlockIsReportedAtOnce() {
        let gate = Gate()
        defer { gate.open() }
        let error = #expect(throws: SeededScheduler.Stalled.self) {
            try SeededScheduler(seed: 1).run { _ in await gate.pass() }
        }
        #expect(error?.description.contains("waits for an event that never comes") == true)
    }

    @Test func endlessRunIsReportedAfterTheLimit() {
        let error = #expect(throws: SeededScheduler.Stalled.self) {
            try SeededScheduler(seed: 1).run(limit: 1_000) { _ in
                while !Task.isCancelled { await Task.yield() }
            }
        }
        #expect(error?.steps == 1_000)
    }
}
