internal import Synchronization

/// Wakes one who rests, also where it was rung before the rest began.
final class Bell: Sendable {
    private enum State {
        case silent
        case rung
        case awaited(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.silent)

    func ring() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .awaited(let continuation) = state else {
                state = .rung
                return nil
            }
            state = .silent
            return continuation
        }
        waiting?.resume()
    }

    /// For one task at a time. Returns at once for who is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRung = state.withLock { state in
                    if case .rung = state {
                        state = .silent
                        return true
                    }
                    state = .awaited(continuation)
                    return false
                }
                if isRung { continuation.resume() }
            }
        } onCancel: {
            ring()
        }
    }

    /// Whether somebody rests, and nobody has rung since.
    var isAwaited: Bool {
        state.withLock { state in
            if case .awaited = state { true } else { false }
        }
    }
}
