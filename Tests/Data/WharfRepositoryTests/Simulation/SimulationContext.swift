import Synchronization
import WharfFakes
import WharfRandom

/// The random numbers of one simulated run, and the violations that it found.
final class SimulationContext: Sendable {
    private struct State {
        var random: SeededGenerator
        var violations: [String] = []
        var trace: [String] = []
        /// The edits, by sheet and process.
        var edits: [[Int]: Edits] = [:]
        var additions: [[Int]] = [[], []]
        var lastTemporaryID = 0
    }

    let clock = TestClock()
    let scheduler: SeededScheduler
    /// Whether events are recorded, to compare two runs of a seed and to understand a violation.
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

    /// Returns true with the given probability in percent.
    func happens(_ percent: Int) -> Bool { random(0..<100) < percent }

    /// Yields a random number of times, possibly none.
    func pause(_ range: Range<Int> = 0..<4) async {
        for _ in 0..<random(range) { await Task.yield() }
    }

    // MARK: Changes

    /// The edits of one sheet by one process.
    struct Edits: Sendable {
        var acknowledged = 0
        /// Edits that the process did not live to have acknowledged.
        var unknown = 0
    }

    /// - Parameter sheet: the id by which the process knows the sheet.
    func edits(of sheet: Int, by process: Int) -> Edits { state.withLock { $0.edits[[sheet, process]] ?? Edits() } }

    func noteEdit(of sheet: Int, by process: Int, isAcknowledged: Bool) {
        state.withLock { state in
            let path: WritableKeyPath<Edits, Int> = isAcknowledged ? \.acknowledged : \.unknown
            state.edits[[sheet, process], default: Edits()][keyPath: path] += 1
        }
    }

    /// The temporary ids of each process's acknowledged additions.
    var additions: [[Int]] { state.withLock { $0.additions } }

    func noteAddition(_ sheet: Int, by process: Int) { state.withLock { $0.additions[process].append(sheet) } }

    func newTemporaryID() -> Int {
        state.withLock { state in
            state.lastTemporaryID -= 1
            return state.lastTemporaryID
        }
    }
}
