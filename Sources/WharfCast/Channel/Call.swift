#if Cast
internal import Synchronization
internal import WharfPlayback

/// Somebody who waits for one answer, and may leave before it.
final class Call: Sendable {
    private enum State {
        case asked
        case waiting(CheckedContinuation<Result<Void, PlaybackError>, Never>)
        case answered(Result<Void, PlaybackError>)
    }

    private let state = Mutex(State.asked)

    /// The first answer counts.
    func answer(_ result: Result<Void, PlaybackError>) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<Void, PlaybackError>, Never>? in
            switch state {
            case .answered: return nil
            case .asked:
                state = .answered(result)
                return nil
            case .waiting(let continuation):
                state = .answered(result)
                return continuation
            }
        }
        waiting?.resume(returning: result)
    }

    /// - Parameter leave: called when the task is cancelled, which is answered with `cancelled`.
    func wait(leave: @Sendable () -> Void) async throws(PlaybackError) {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Result<Void, PlaybackError>? in
                    if case .answered(let result) = state { return result }
                    state = .waiting(continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            answer(.failure(.left))
            leave()
        }.get()
    }
}

extension PlaybackError {
    static let left = PlaybackError(.cancelled, "the task that gave the command was cancelled")
}
#endif
