internal import Synchronization

/// Whether there is a network, and who wants to hear of it: what is the same in every ``Connectivity``.
package final class ConnectivityTurns: Connectivity {
    private struct State {
        var isOnline: Bool
        var readers: [UInt64: AsyncStream<Bool>.Continuation] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    private let state: Mutex<State>

    package init(isOnline: Bool) {
        state = Mutex(State(isOnline: isOnline))
    }

    package var isOnline: Bool { state.withLock { $0.isOnline } }

    /// How many are told of turns.
    package var readers: Int { state.withLock { $0.readers.count } }

    /// Tells all readers, also where it is no turn.
    package func tell(online isOnline: Bool) {
        state.withLock { state in
            state.isOnline = isOnline
            // Yielding only enqueues the reader; under the lock two turns can't overtake each other.
            for reader in state.readers.values { reader.yield(isOnline) }
        }
    }

    package func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let id = state.withLock { state -> UInt64? in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.readers[state.last] = continuation
            return state.last
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.leave(id) }
        return stream
    }

    /// Does not wait for the lock: a reader who is cancelled holds one of its task here, for which who tells it a turn waits.
    private func leave(_ id: UInt64) {
        let hasLeft = state.withLockIfAvailable { state in
            state.readers[id] = nil
            return true
        }
        if hasLeft == nil { Task.detached { [self] in state.withLock { $0.readers[id] = nil } } }
    }

    /// Ends all sequences: nobody will tell of turns any more.
    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            return Array(state.readers.values)
        }
        // Not under the lock, which the end of each takes.
        for reader in readers { reader.finish() }
    }
}
