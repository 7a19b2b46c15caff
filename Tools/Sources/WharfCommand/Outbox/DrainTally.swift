import Synchronization
import Wharf

/// Counts the answers during one `wharf outbox drain`, and shows the progress on a terminal.
final class DrainTally: Sendable {
    private struct State {
        var answered = 0
        var delivered = 0
        var refused = 0
        /// The number of failures by their text.
        var failures: [String: Int] = [:]
        var drawn: Duration?
    }

    private let state = Mutex(State())
    private let total: Int
    private let started: Duration
    private let surroundings: Surroundings
    private static let interval = Duration.milliseconds(100)
    /// For a shorter run the line would only flicker.
    private static let patience = Duration.milliseconds(300)

    /// - Parameter total: the number of deliveries waiting at the start.
    init(total: Int, _ surroundings: Surroundings) {
        self.total = total
        self.surroundings = surroundings
        started = surroundings.ticks()
    }

    var delivered: Int { state.withLock { $0.delivered } }
    /// The number of answers that were refusals.
    var refused: Int { state.withLock { $0.refused } }

    func count(_ delivery: Delivery, to destination: String) {
        let now = surroundings.ticks()
        let line = state.withLock { state -> String? in
            state.answered += 1
            switch delivery.verdict {
            case .delivered: state.delivered += 1
            case .retry(let failure, _) where failure.code == .inProgress:
                state.refused += 1
                state.failures["\(destination): \(failure)", default: 0] += 1
            case .retry(let failure, _), .rateLimited(let failure, _), .offline(let failure):
                state.failures["\(destination): \(failure)", default: 0] += 1
            case .needsAuthentication(let failure), .conflict(let failure, _), .rejected(let failure):
                state.refused += 1
                state.failures["\(destination): \(failure)", default: 0] += 1
            }
            guard now - started >= Self.patience, state.drawn.map({ now - $0 >= Self.interval }) ?? true else {
                return nil
            }
            state.drawn = now
            let failed = state.answered - state.delivered
            return "\(state.delivered) of \(total) delivered"
                + (failed == 0 ? "" : ", \(Plain.attempts(failed)) failed")
        }
        guard let line, let columns = surroundings.progressColumns() else { return }
        surroundings.writeError("\r\(line.prefix(max(0, columns - 1)))\u{1B}[K")
    }

    /// Removes the progress line, and reports each kind of failure once.
    func end() {
        let (failures, isDrawn) = state.withLock { ($0.failures, $0.drawn != nil) }
        if isDrawn, surroundings.progressColumns() != nil { surroundings.writeError("\r\u{1B}[K") }
        for (failure, count) in failures.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            surroundings.writeError(Plain.shown(count == 1 ? failure : "\(count) × \(failure)") + "\n")
        }
    }
}
