#if Cast
internal import WharfPlayback
internal import WharfPrimitives

/// A caller that waits for one answer, and may leave before it.
final class Call: Sendable {
    private let result = Promise<Result<Void, PlaybackError>>()

    /// The first answer counts.
    func answer(_ result: Result<Void, PlaybackError>) { self.result.fulfil(result) }

    /// - Parameter leave: called when the task is cancelled, which is answered with `cancelled`.
    func wait(leave: @Sendable () -> Void) async throws(PlaybackError) {
        try await withTaskCancellationHandler {
            await result.wait()
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
