import Synchronization
import WharfFakes
import WharfRandom

/// The randomness of one simulated run, and the violations that were found in it.
final class SimulationContext: Sendable {
    private struct State {
        var random: SeededGenerator
        var violations: [String] = []
        var trace: [String] = []
        /// By process: the edits that were acknowledged, and those whose outcome the process did not live to hear.
        var acknowledged = [0, 0]
        var unknown = [0, 0]
    }

    let clock = TestClock()
    let scheduler: SeededScheduler
    /// Whether events are noted, so that two runs of a seed can be compared, and a violation be read.
    private let isTraced: Bool
    private let state: Mutex<State>

    init(_ scheduler: SeededScheduler, seed: UInt64, isTraced: Bool) {
        self.scheduler = scheduler
        self.isTraced = isTraced
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    var violations: [String] { state.withLock { $0.violations } }

    func report(_ violation: String) {
        state.withLock { $0.violations.append(violation) }
        note("VIOLATION: \(violation)")
    }

    var trace: [String] { state.withLock { $0.trace } }

    func note(_ event: @autoclosure () -> String) {
        guard isTraced else { return }
        let event = event()
        state.withLock { $0.trace.append(event) }
    }

    func random(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

    /// Whether an event of so many percent happens.
    func happens(_ percent: Int) -> Bool { random(0..<100) < percent }

    /// Lets others go first, or not.
    func pause(_ range: Range<Int> = 0..<4) async {
        for _ in 0..<random(range) { await Task.yield() }
    }

    // MARK: Edits

    func acknowledged(_ process: Int) -> Int { state.withLock { $0.acknowledged[process] } }

    func unknown(_ process: Int) -> Int { state.withLock { $0.unknown[process] } }

    func acknowledge(_ process: Int) { state.withLock { $0.acknowledged[process] += 1 } }

    func lose(_ process: Int) { state.withLock { $0.unknown[process] += 1 } }
}
