internal import Synchronization
internal import WharfCore

/// A caller that waits for what becomes of a command or a transfer.
final class Ticket: Sendable {
    typealias Outcome = Result<Void, PlaybackError>

    /// Whether it waits for the item to play.
    let asksToPlay: Bool
    private let seats = Seats()
    private let outcome = Mutex<Outcome?>(nil)

    /// - Parameter command: nil for a transfer.
    init(_ command: PlaybackCommand? = nil) {
        switch command {
        case .play, .load(_, _, playing: true): asksToPlay = true
        default: asksToPlay = false
        }
    }

    /// The first outcome counts.
    func settle(_ outcome: Outcome) {
        let isFirst = self.outcome.withLock { known in
            guard known == nil else { return false }
            known = outcome
            return true
        }
        if isFirst { seats.land() }
    }

    /// - Throws: `cancelled` where the caller is cancelled before; what it asked for goes on.
    func wait() async throws(PlaybackError) {
        let landed = await seats.wait(in: Seats.first) {}
        guard landed, let outcome = outcome.withLock({ $0 }) else {
            throw PlaybackError(.cancelled, "the caller was cancelled while it waited; what it asked for goes on")
        }
        try outcome.get()
    }
}

extension PlaybackError {
    static let overtaken = PlaybackError(.cancelled, "a later command or transfer took its place")
}
