internal import Synchronization

/// Holds tasks at a point until the test opens it, and tells the test that they have come: the place of a sleep.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var held: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Waits until the gate is open. A cancelled task goes through at once.
    public func pass() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (through, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    state.arrivals += 1
                    let arrivals = state.arrivals
                    let satisfied = state.watchers.filter { $0.count <= arrivals }.map(\.continuation)
                    state.watchers.removeAll { $0.count <= arrivals }
                    if state.isOpen || Task.isCancelled { return (true, satisfied) }
                    state.held[id] = continuation
                    return (false, satisfied)
                }
                for watcher in watchers { watcher.resume() }
                if through { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.held.removeValue(forKey: id) }?.resume()
        }
    }

    /// Lets everybody through, now and later.
    public func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [:] }
            return state.held
        }
        for continuation in held.values { continuation.resume() }
    }

    /// Returns once `count` tasks in all have come to the gate.
    public func arrivals(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let enough = state.withLock { state -> Bool in
                if state.arrivals >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if enough { continuation.resume() }
        }
    }
}
