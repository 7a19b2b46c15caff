import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfRandom

/// Callers, cancellations and closed flights in many interleavings.
@Suite struct SingleFlightInterleavingTests {
    /// Does the work, and records violations.
    private final class Stage: Sendable {
        private struct State {
            var random: SeededGenerator
            var moment = 0
            var working = 0
            var violations: [String] = []
        }

        private let state: Mutex<State>

        init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

        var violations: [String] { state.withLock { $0.violations } }

        func report(_ violation: String) { state.withLock { $0.violations.append(violation) } }

        func random(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

        func pause(_ range: Range<Int> = 0..<4) async {
            for _ in 0..<random(range) { await Task.yield() }
        }

        func moment() -> Int {
            state.withLock { state in
                state.moment += 1
                return state.moment
            }
        }

        /// - Returns: the moment at which it closed the flight.
        func work(_ close: @Sendable () -> Void) async -> Int {
            let isAlone = state.withLock { state in
                state.working += 1
                return state.working == 1
            }
            if !isAlone, !Task.isCancelled { report("two did the same work at one time") }
            await withTaskCancellationHandler {
                await pause()
            } onCancel: {
                state.withLock { $0.working -= 1 }
            }
            let wasCancelled = Task.isCancelled
            close()
            let closed = moment()
            if !wasCancelled { state.withLock { $0.working -= 1 } }
            await pause()
            return closed
        }
    }

    private static func violations(seed: UInt64) throws -> [String] {
        let stage = Stage(seed: seed)
        return try SeededScheduler(seed: seed).run { scheduler in
            let flights = SingleFlight<String, Int>(executor: scheduler)
            await withTaskGroup { group in
                for _ in 0..<6 { group.addTask { await call(flights, stage, scheduler) } }
            }
            if flights.waiting(for: "key") != 0 { stage.report("somebody waits still") }
            return stage.violations
        }
    }

    private static func call(_ flights: SingleFlight<String, Int>, _ stage: Stage, _ scheduler: SeededScheduler) async {
        for _ in 0..<3 {
            await stage.pause()
            let caller = Task(executorPreference: scheduler) { () -> (asked: Int, closed: Int?) in
                let asked = stage.moment()
                do {
                    return (asked, try await flights.run("key", closing: stage.work))
                } catch {
                    return (asked, nil)
                }
            }
            let gaveUp = stage.random(0..<3) == 0
            if gaveUp {
                await stage.pause()
                caller.cancel()
            }
            let (asked, closed) = await caller.value
            guard let closed else {
                if !gaveUp { stage.report("cancelled by somebody else") }
                continue
            }
            if closed < asked { stage.report("was given what had been told before") }
        }
    }

    @Test func workIsSharedAndCancellationStaysWithItsCaller() throws {
        for seed in 1...3_000 as ClosedRange<UInt64> {
            let violations = try Self.violations(seed: seed)
            guard violations.isEmpty else {
                Issue.record("seed \(seed): \(violations.joined(separator: "; "))")
                return
            }
        }
    }
}
