internal import Synchronization
internal import WharfCore
internal import WharfPlayback
internal import WharfPrimitives

/// What whoever sends a command is told: how it is since, or why it was not taken.
typealias CommandAnswer = Result<ScreenMessage.State, PlaybackError>

/// A command in the queue of a receiver, and whoever waits for its answer.
final class SentCommand: Sendable {
    enum Answer: Sendable {
        case done(CommandAnswer)
        /// Its session has ended before.
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

    /// - Parameter task: does it, and is cancelled with the session.
    func begin(_ task: Task<Void, Never>) {
        self.task.withLock { $0 = task }
        // Looked at after it was kept: an end that comes in between cancels the task it finds.
        if answered.value != nil { task.cancel() }
    }

    /// The number of callers that wait for the answer.
    var callers: Int { answered.waiting }

    /// The first answer counts.
    func settle(_ answer: Answer) { answered.fulfil(answer) }

    /// Answers at once, also where the player hangs.
    func end(_ end: SessionEnd) {
        settle(.over(end))
        task.withLock { $0 }?.cancel()
    }

    /// - Throws: `cancelled` where the caller is cancelled before; the command stays in the queue.
    func answer() async throws(TransportError) -> Answer {
        guard let answer = await answered.waitUnlessCancelled() else { throw .cancelled }
        return answer
    }
}
