internal import WharfCore
internal import WharfPrimitives

/// A caller that waits for what becomes of a command or a transfer.
final class Ticket: Sendable {
    typealias Outcome = Result<Void, PlaybackError>

    /// Whether it waits for the item to play.
    let asksToPlay: Bool
    private let outcome = Promise<Outcome>()

    /// - Parameter command: nil for a transfer.
    init(_ command: PlaybackCommand? = nil) {
        switch command {
        case .play, .load(_, _, playing: true): asksToPlay = true
        default: asksToPlay = false
        }
    }

    /// The first outcome counts.
    func settle(_ outcome: Outcome) { self.outcome.fulfil(outcome) }

    /// - Throws: `cancelled` where the caller is cancelled before; what it asked for goes on.
    func wait() async throws(PlaybackError) {
        guard let outcome = await outcome.waitUnlessCancelled() else {
            throw PlaybackError(.cancelled, "the caller was cancelled while it waited; what it asked for goes on")
        }
        try outcome.get()
    }
}

extension PlaybackError {
    static let overtaken = PlaybackError(.cancelled, "a later command or transfer took its place")
}
