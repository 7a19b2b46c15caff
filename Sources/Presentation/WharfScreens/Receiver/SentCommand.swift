internal import Synchronization
internal import WharfCore
internal import WharfPlayback
internal import WharfPrimitives

/// The answer to a command: the state after it, or the reason why it failed.
typealias CommandAnswer = Result<ScreenMessage.State, PlaybackError>

/// A command in the queue of a receiver, with the callers that wait for its answer.
final class SentCommand: Sendable {
    enum Answer: Sendable {
        case done(CommandAnswer)
        /// The session of the command has ended first.
        case over(SessionEnd)
    }

    let session: String
    let sequence: Int
    let command: PlaybackCommand
    private let answered = Promise<Answer>()
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ message: ScreenMessage.Command, of session: String) {
        (self.session, sequence, command) = (session, message.sequence, message.command)
    }

    /// - Parameter task: carries out the command, and is cancelled with the session.
    func begin(_ task: Task<Void, Never>) {
        self.task.withLock { $0 = task }
        // Checked after the task was stored: an `end` in between finds the stored task and cancels
        // it.
        if answered.value != nil { task.cancel() }
    }

    /// The number of callers that wait for the answer.
    var callers: Int { answered.waiting }

    /// Sets the answer. Only the first call has an effect.
    func settle(_ answer: Answer) { answered.fulfil(answer) }

    /// Answers at once, even if the player hangs.
    func end(_ end: SessionEnd) {
        // Before the cancellation: the answer of a cancelled player would otherwise win.
        settle(.over(end))
        task.withLock { $0 }?.cancel()
    }

    /// Waits for the answer.
    ///
    /// - Throws: `cancelled` if the caller is cancelled first; the command stays in the queue.
    func answer() async throws(TransportError) -> Answer {
        guard let answer = await answered.waitUnlessCancelled() else { throw .cancelled }
        return answer
    }
}
