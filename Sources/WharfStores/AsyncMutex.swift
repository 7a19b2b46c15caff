internal import Synchronization
internal import WharfCore

/// Lets one caller in at a time, in the order of their calls, whatever it awaits inside.
///
/// Who waits is not woken by cancellation: what is asked of a store is done, also for a caller who has left.
final class AsyncMutex: Sendable {
    private struct State {
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func withLock<Value>(_ body: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isHeld { state.waiting.append(continuation) }
                defer { state.isHeld = true }
                return !state.isHeld
            }
            if isFree { continuation.resume() }
        }
    }

    /// It stays held when somebody waits: nobody comes in between.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.isHeld = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
