internal import WharfCore
internal import WharfPrimitives

/// The entries that a destination has received, and the tests that wait for more.
final class DeliveryRecord: Sendable {
    private struct State {
        var entries: [OutboxEntry] = []
        var attempts: [OutboxEntry.ID: Int] = [:]
        var underWay = 0
    }

    // `underWay` is the number of calls between `begin` and `end`. `attempts` counts the
    // occurrences of each id in `entries`.
    private let monitor = Monitor(State())

    var entries: [OutboxEntry] { monitor.read { $0.entries } }
    var underWay: Int { monitor.read { $0.underWay } }

    /// Records the start of a call.
    ///
    /// - Returns: the number of the attempt for each entry.
    func begin(_ entries: [OutboxEntry]) -> [Int] {
        monitor.withLock { state, _ in
            state.entries += entries
            state.underWay += 1
            return entries.map { entry in
                state.attempts[entry.id, default: 0] += 1
                return state.attempts[entry.id, default: 0]
            }
        }
    }

    func end() { monitor.withLock { state, _ in state.underWay -= 1 } }

    func untilCount(_ count: Int) async { await monitor.wait { $0.entries.count >= count } }
}
