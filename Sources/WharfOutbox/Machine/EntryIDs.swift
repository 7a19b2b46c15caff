internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// New ids of entries, in the order in which they are made.
final class EntryIDs: Sendable {
    private let random: SharedRandom
    private let last = Mutex(WallTime.distantPast)

    init(_ random: SharedRandom) { self.random = random }

    /// Each sorts after those before it, also where the clock stands still or goes back (RFC 9562
    /// §6.2).
    func next(at now: WallTime) -> OutboxEntry.ID {
        last.withLock { last in
            // The least by which the time of two ids differs is a 4096th of a millisecond.
            last = max(now, last + .nanoseconds(245))
            let time = last
            return random.draw { OutboxEntry.ID(at: time, using: &$0) }
        }
    }
}
