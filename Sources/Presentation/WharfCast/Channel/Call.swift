internal import WharfPlayback
internal import WharfPrimitives

/// A caller that waits for one answer, and may be cancelled before it.
final class Call: Sendable {
    private let result = Promise<Result<Void, PlaybackError>>()

    /// Sets the answer. Only the first call has an effect.
    func answer(_ result: Result<Void, PlaybackError>) { self.result.fulfil(result) }

    /// Waits for the answer. A cancelled caller gets `cancelled`.
    ///
    /// - Parameter leave: called if the task is cancelled.
    func wait(leave: @Sendable () -> Void) async throws(PlaybackError) {
        try await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            // Before `leave`: the caller returns at once, even if the event loop is busy.
            answer(.failure(.left))
            leave()
        }.get()
    }
}

extension PlaybackError {
    static let left = PlaybackError(.cancelled, "the calling task was cancelled")
}
