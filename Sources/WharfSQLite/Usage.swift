#if SQLite
internal import Synchronization
internal import WharfCore

/// Who is inside a store, so that closing it can wait for them and turn away who comes later.
final class Usage: Sendable {
    private struct State {
        var active = 0
        var isClosed = false
        var drained: CheckedContinuation<Void, Never>?
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
        let drained = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.active -= 1
            guard state.active == 0 else { return nil }
            defer { state.drained = nil }
            return state.drained
        }
        drained?.resume()
    }

    /// Turns everybody away from now on, and returns when the last one inside has left.
    ///
    /// - Returns: false, at once, when it was closed before.
    func close() async -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return false }
        await withCheckedContinuation { continuation in
            let isDrained = state.withLock { state in
                if state.active > 0 { state.drained = continuation }
                return state.active == 0
            }
            if isDrained { continuation.resume() }
        }
        return true
    }
}
#endif
