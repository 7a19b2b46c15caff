internal import Synchronization
internal import WharfCore

/// A generator that several tasks draw from, and the ids that come of it.
final class Dice: Sendable {
    private struct State {
        var random: any RandomNumberGenerator & Sendable
        var lastID = WallTime.distantPast
    }

    private let state: Mutex<State>

    init(_ random: any RandomNumberGenerator & Sendable) { state = Mutex(State(random: random)) }

    func roll<Result: Sendable>(_ draw: (inout any RandomNumberGenerator & Sendable) -> Result) -> Result {
        state.withLock { draw(&$0.random) }
    }

    /// Each sorts after those before it, also where the clock stands still or goes back (RFC 9562 §6.2).
    func newID(at now: WallTime) -> OutboxEntry.ID {
        state.withLock { state in
            // The least by which the time of two ids differs is a 4096th of a millisecond.
            state.lastID = max(now, state.lastID + .nanoseconds(245))
            return OutboxEntry.ID(at: state.lastID, using: &state.random)
        }
    }
}
