#if SQLite
internal import Synchronization
internal import WharfCore

/// Who is inside a store, so that closing it can wait for them and turn away who comes later.
final class Usage: Sendable {
    private struct State {
        var active = 0
        var isClosed = false
        var drained: [CheckedContinuation<Void, Never>] = []
        var isOver = false
        var over: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Each to be followed by one ``leave()``.
    func enter() throws(StoreError) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.active += 1 }
            return !state.isClosed
        }
        if !isOpen { throw .closed }
    }

    func leave() {
        let drained = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.active -= 1
            guard state.active == 0 else { return [] }
            defer { state.drained = [] }
            return state.drained
        }
        for continuation in drained { continuation.resume() }
    }

    /// Turns everybody away from now on, and returns when the last one inside has left.
    ///
    /// - Parameter end: what the first caller does then; whoever closes as well waits for it.
    func close<E: Error>(_ end: () async throws(E) -> Void) async throws(E) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else {
            return await wait { state, continuation in
                if !state.isOver { state.over.append(continuation) }
                return state.isOver
            }
        }
        await wait { state, continuation in
            if state.active > 0 { state.drained.append(continuation) }
            return state.active == 0
        }
        defer {
            let over = state.withLock { state in
                defer { (state.isOver, state.over) = (true, []) }
                return state.over
            }
            for continuation in over { continuation.resume() }
        }
        try await end()
    }

    /// - Parameter isDone: where it is not, it keeps the continuation.
    private func wait(_ isDone: (inout sending State, CheckedContinuation<Void, Never>) -> Bool) async {
        await withCheckedContinuation { continuation in
            if state.withLock({ isDone(&$0, continuation) }) { continuation.resume() }
        }
    }
}
#endif
