import Simulation
import Testing
import WharfPrimitives

@Suite struct PromiseTests {
    @Test func everyWaiterGetsTheFirstValueInEveryInterleaving() throws {
        try Exploration.exhaustive(PromiseLaws.deliversOnce { .real() })
    }

    @Test func cancelledWaiterLeavesAloneInEveryInterleaving() throws {
        var seen: Set<Int?> = []
        try Exploration.exhaustive { simulation in
            let (promise, log) = (Promise<Int>(), Log<Int?>())
            let cancelled = simulation.task("cancelled") { log.note(await promise.waitUnlessCancelled()) }
            let other = Log<Int?>()
            simulation.task("other") { other.note(await promise.waitUnlessCancelled()) }
            simulation.task("canceller") { cancelled.cancel() }
            simulation.task("writer") { promise.fulfil(7) }
            return {
                seen.formUnion(log.notes)
                return other.notes == [7] && log.notes.count == 1 ? nil : "found \(other.notes), \(log.notes)"
            }
        }
        #expect(seen == [7, nil])
    }

    @Test func waitIgnoresCancellation() throws {
        try Exploration.exhaustive { simulation in
            let (promise, log) = (Promise<Int>(), Log<Int>())
            let reader = simulation.task("reader") { log.note(await promise.wait()) }
            simulation.task("canceller") { reader.cancel() }
            simulation.task("writer") { promise.fulfil(7) }
            return { log.notes == [7] ? nil : "found \(log.notes)" }
        }
    }

    @Test func fulfilledPromiseAnswersACancelledTask() async {
        let promise = Promise(fulfilled: 3)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await promise.waitUnlessCancelled()
        }
        #expect(await task.value == 3)
        #expect(promise.value == 3)
        #expect(!promise.fulfil(4))
    }

    @Test func promiseWhoseLaterValueWinsIsCaught() {
        let found = counterexample(PromiseLaws.deliversOnce { .lastValueWins() })
        guard case .violation? = found?.failure else {
            Issue.record("expected a violation, found \(String(describing: found))")
            return
        }
    }

    @Test func promiseThatWakesOneWaiterIsCaught() {
        let found = counterexample(PromiseLaws.deliversOnce { .wakesOne() })
        guard case .deadlock? = found?.failure else {
            Issue.record("expected a deadlock, found \(String(describing: found))")
            return
        }
    }

    @Test func promiseThatReservesInASecondStepIsCaught() {
        let found = counterexample { simulation in
            PromiseLaws.deliversOnce { .withoutAtomicity(simulation) }(simulation)
        }
        guard case .deadlock? = found?.failure else {
            Issue.record("expected a deadlock, found \(String(describing: found))")
            return
        }
    }
}

private struct PromiseUnderTest: Sendable {
    var fulfil: @Sendable (Int) -> Bool
    var wait: @Sendable () async -> Int

    static func real() -> PromiseUnderTest {
        let promise = Promise<Int>()
        return PromiseUnderTest {
            promise.fulfil($0)
        } wait: {
            await promise.wait()
        }
    }

    static func lastValueWins() -> PromiseUnderTest {
        mutant(isOpen: { _ in true }, wake: { $0.resumeAll() })
    }

    static func wakesOne() -> PromiseUnderTest {
        mutant(isOpen: { $0 == nil }, wake: { $0.resumeFirst() })
    }

    static func withoutAtomicity(_ simulation: Simulation) -> PromiseUnderTest {
        mutant(isOpen: { $0 == nil }, wake: { $0.resumeAll() }, between: { await simulation.step() })
    }

    private static func mutant(
        isOpen: @escaping @Sendable (Int?) -> Bool, wake: @escaping @Sendable (inout Effects) -> Void,
        between: @escaping @Sendable () async -> Void = {}
    ) -> PromiseUnderTest {
        let monitor = Monitor<Int?>(nil)
        return PromiseUnderTest { new in
            monitor.withLock { value, effects in
                guard isOpen(value) else { return false }
                value = new
                wake(&effects)
                return true
            }
        } wait: {
            if let value = monitor.read({ $0 }) { return value }
            await between()
            await monitor.wait(for: monitor.withLock { _, effects in effects.reserve() })
            return monitor.read { $0 } ?? -1
        }
    }
}

private enum PromiseLaws {
    static func deliversOnce(_ make: @escaping @Sendable () -> PromiseUnderTest) -> Exploration.Program {
        { simulation in
            let (promise, log, winners) = (make(), Log<Int>(), Log<Int>())
            for reader in 0..<2 { simulation.task("reader \(reader)") { log.note(await promise.wait()) } }
            for value in [7, 8] {
                simulation.task("writer \(value)") { if promise.fulfil(value) { winners.note(value) } }
            }
            return {
                winners.notes.count == 1 && log.notes == [winners.notes[0], winners.notes[0]]
                    ? nil : "found \(log.notes) of \(winners.notes)"
            }
        }
    }
}
