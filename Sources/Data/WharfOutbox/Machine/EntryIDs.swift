internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// A generator of entry ids that sort in the order in which they are made.
final class EntryIDs: Sendable {
    private let random: SharedRandom
    private let last = Mutex(WallTime.distantPast)

    init(_ random: SharedRandom) { self.random = random }

    /// Returns an id that sorts after all earlier ones (RFC 9562 §6.2).
    ///
    /// This holds even if the wall clock stands still or goes back.
    func next(at now: WallTime) -> OutboxEntry.ID {
        // Two tasks at one time would otherwise get ids in the other order than their calls. Lock
        // order: this one, then the generator.
        last.withLock { last in
            // Two ids can differ in time by no less than 1/4096 of a millisecond, which is 245 ns.
            last = max(now, last + .nanoseconds(245))
            let time = last
            return random.draw { OutboxEntry.ID(at: time, using: &$0) }
        }
    }
}
