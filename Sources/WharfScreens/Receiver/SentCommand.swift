internal import Synchronization
internal import WharfCore
internal import WharfPlayback

/// What whoever sends a command is told: how it is since, or why it was not taken.
typealias CommandAnswer = Result<ScreenMessage.State, PlaybackError>

/// A command in the queue of a receiver, and whoever waits for its answer.
final class SentCommand: Sendable {
    enum Answer: Sendable {
        case done(CommandAnswer)
        /// Its session has ended before.
        case over(SessionEnd)
    }

    private struct Content {
        var answer: Answer?
        var task: Task<Void, Never>?
    }

    let session: String
    let sequence: Int
    let command: PlaybackCommand
    /// The first is the command's own, so that who comes again can wait too when everybody has left.
    private let seats = Seats()
    private let content = Mutex(Content())

    init(_ message: ScreenMessage.Command, of session: String) {
        (self.session, sequence, command) = (session, message.sequence, message.command)
    }

    /// - Parameter task: does it, and is cancelled with the session.
    func begin(_ task: Task<Void, Never>) {
        let isOver = content.withLock { content in
            content.task = task
            return content.answer != nil
        }
        if isOver { task.cancel() }
    }

    /// The first answer counts.
    func settle(_ answer: Answer) {
        let isFirst = content.withLock { content in
            guard content.answer == nil else { return false }
            content.answer = answer
            return true
        }
        if isFirst { seats.land() }
    }

    /// Answers at once, also where the player hangs.
    func end(_ end: SessionEnd) {
        settle(.over(end))
        content.withLock { $0.task }?.cancel()
    }

    /// - Throws: `cancelled` where the caller is cancelled before; the command stays in the queue.
    func answer() async throws(TransportError) -> Answer {
        if let seat = seats.take() { _ = await seats.wait(in: seat) {} }
        guard let answer = content.withLock({ $0.answer }) else { throw .cancelled }
        return answer
    }
}
