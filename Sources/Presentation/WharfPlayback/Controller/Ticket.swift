internal import WharfCore
internal import WharfPrimitives

/// A caller that waits for the outcome of a command or a transfer.
final class Ticket: Sendable {
    typealias Outcome = Result<Void, PlaybackError>

    /// Whether the caller has asked to play.
    let asksToPlay: Bool
    private let outcome = Promise<Outcome>()

    /// - Parameter command: the command; nil for a transfer.
    init(_ command: PlaybackCommand? = nil) {
        switch command {
        case .play, .load(_, _, playing: true): asksToPlay = true
        default: asksToPlay = false
        }
    }

    /// Sets the outcome. Only the first call has an effect.
    func settle(_ outcome: Outcome) { self.outcome.fulfil(outcome) }

    /// Waits for the outcome, and throws its error.
    ///
    /// - Throws: `cancelled` if the caller is cancelled first; the command continues.
    func wait() async throws(PlaybackError) {
        guard let outcome = await outcome.waitUnlessCancelled() else {
            throw PlaybackError(.cancelled, "the calling task was cancelled while it waited; its command continues")
        }
        try outcome.get()
    }
}

extension PlaybackError {
    static let overtaken = PlaybackError(.cancelled, "a later command or transfer superseded this command")
}
