internal import Synchronization
internal import WharfPlayback

/// Lets one in after the other, in the order in which they came. Who is cancelled while waiting leaves at once.
final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    /// - Throws: `cancelled`; what `body` throws.
    func take<Value>(_ body: () async throws(PlaybackError) -> Value) async throws(PlaybackError) -> Value {
        guard await begin() else { throw .left }
        defer { end() }
        return try await body()
    }

    /// - Returns: false when the caller was cancelled before its turn.
    private func begin() async -> Bool {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.isTaken {
                        state.waiting.append((id, continuation))
                        return nil
                    }
                    state.isTaken = true
                    return true
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let leaving = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiting.remove(at: index).continuation
            }
            leaving?.resume(returning: false)
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}

extension PlaybackError {
    static let left = PlaybackError(.cancelled, "the caller left before its command was taken")
}
