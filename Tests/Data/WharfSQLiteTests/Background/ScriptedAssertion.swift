import Synchronization
import WharfCore
import WharfSQLite

/// A background assertion that a test controls. It counts its calls.
final class ScriptedAssertion: BackgroundAssertion {
    struct Record: Sendable {
        var asked = 0
        var held = 0
        var mostHeld = 0
        /// The number of repeated calls of an end closure.
        var endedTwice = 0
    }

    private struct State: Sendable {
        var record = Record()
        var isGranted = true
        var isPaused = false
        var asking: [CheckedContinuation<Void, Never>] = []
        var expiries: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    var record: Record { state.withLock { $0.record } }

    func grant(_ isGranted: Bool) { state.withLock { $0.isGranted = isGranted } }

    /// Makes later calls wait for ``resume()``.
    func pause() { state.withLock { $0.isPaused = true } }

    func resume() {
        let asking = state.withLock { state in
            defer { (state.asking, state.isPaused) = ([], false) }
            return state.asking
        }
        for continuation in asking { continuation.resume() }
    }

    /// Expires all assertions that are held.
    func expire() {
        for expiry in state.withLock({ Array($0.expiries.values) }) { expiry() }
    }

    func begin(onExpiry: @escaping @Sendable () -> Void) async throws(StoreError) -> @Sendable () -> Void {
        let id = state.withLock { state in
            state.record.asked += 1
            return state.record.asked
        }
        await withCheckedContinuation { continuation in
            let isPaused = state.withLock { state in
                if state.isPaused { state.asking.append(continuation) }
                return state.isPaused
            }
            if !isPaused { continuation.resume() }
        }
        let isGranted = state.withLock { state in
            guard state.isGranted else { return false }
            state.record.held += 1
            state.record.mostHeld = max(state.record.mostHeld, state.record.held)
            state.expiries[id] = onExpiry
            return true
        }
        guard isGranted else { throw StoreError(.unavailable, message: "no time") }
        return { [self] in
            state.withLock { state in
                guard state.expiries.removeValue(forKey: id) != nil else { return state.record.endedTwice += 1 }
                state.record.held -= 1
            }
        }
    }
}
