internal import Synchronization
internal import WharfCore

/// What a destination was given, and who waits for more.
final class DeliveryRecord: Sendable {
    private struct State {
        var entries: [OutboxEntry] = []
        var attempts: [OutboxEntry.ID: Int] = [:]
        var underWay = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var entries: [OutboxEntry] { state.withLock { $0.entries } }
    var underWay: Int { state.withLock { $0.underWay } }

    /// - Returns: which attempt it is of each.
    func begin(_ entries: [OutboxEntry]) -> [Int] {
        let (attempts, watchers) = state.withLock { state in
            state.entries += entries
            state.underWay += 1
            let attempts = entries.map { entry in
                state.attempts[entry.id, default: 0] += 1
                return state.attempts[entry.id, default: 0]
            }
            let count = state.entries.count
            let satisfied = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return (attempts, satisfied)
        }
        for watcher in watchers { watcher.resume() }
        return attempts
    }

    func end() { state.withLock { $0.underWay -= 1 } }

    func untilCount(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isEnough = state.withLock { state in
                if state.entries.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isEnough { continuation.resume() }
        }
    }
}
