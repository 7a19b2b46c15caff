internal import Synchronization
public import WharfCore
internal import WharfRandom
public import WharfStorage

/// An outbox that stores entries and delivers none, for tests of enqueuing.
///
/// ```swift
/// let outbox = RecordingOutbox(store: MemoryWriteStore())
/// try await analytics.track(FilmOpened(film: 7))
/// #expect(outbox.entries.count == 1)
/// ```
///
/// Ids depend only on a clock and a seed, so they are equal in each run.
public final class RecordingOutbox: Outbox {
    private struct State {
        var commits: [[OutboxEntry]] = []
        var destinations: [any Destination] = []
        var drains = 0
        var failure: StoreError?
        var gate: Gate?
        var random: SeededGenerator
        var lastID = WallTime.distantPast
    }

    public let store: any WriteStore
    public let account: Account?
    // `lastID` increases with each id, even if the clock stands still or goes back. `commits` has
    // the entries of successful calls only.
    private let state: Mutex<State>
    private let clock: any WallClock

    /// Creates an outbox over a store.
    public init(
        store: any WriteStore, account: Account? = nil, clock: any WallClock = TestClock().wall, seed: UInt64 = 1
    ) {
        self.store = store
        self.account = account
        self.clock = clock
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    /// The enqueued entries in order.
    public var entries: [OutboxEntry] { commits.flatMap(\.self) }

    /// The enqueued entries, grouped by the calls that brought them.
    public var commits: [[OutboxEntry]] { state.withLock { $0.commits } }

    /// The names of the registered destinations in order.
    public var destinations: [String] { state.withLock { $0.destinations.map(\.name) } }

    /// The number of drains.
    public var drains: Int { state.withLock { $0.drains } }

    /// Makes each `enqueue` wait at a gate before it stores entries; nil for none.
    public func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }

    /// Makes all calls throw an error and store nothing; nil ends this.
    public func fail(with error: StoreError?) { state.withLock { $0.failure = error } }

    public func newID() -> OutboxEntry.ID {
        state.withLock { state in
            // Ids resolve a 4096th of a millisecond. Without a step of at least this size, two ids
            // of a clock that stands still would have no order.
            state.lastID = max(clock.now(), state.lastID + .nanoseconds(245))
            return OutboxEntry.ID(at: state.lastID, using: &state.random)
        }
    }

    @discardableResult
    public func enqueue(
        _ entries: [OutboxEntry], changing entities: [EntityChange]
    ) async throws(StoreError) -> CommitResult {
        await state.withLock { $0.gate }?.pass()
        if let failure = state.withLock({ $0.failure }) { throw failure }
        // Recorded only once they are stored, so that a failed call leaves no trace.
        let committed = try await store.commit(Commit(entities: entities, enqueued: entries))
        state.withLock { $0.commits.append(entries) }
        return committed
    }

    /// Returns the present states without waiting.
    public func outcome(of entry: OutboxEntry.ID) async throws(StoreError) -> [String: OutboxRecord.State]? {
        try await store.record(of: entry)?.states
    }

    public func register(_ destination: any Destination) {
        state.withLock { $0.destinations.append(destination) }
    }

    /// Counts the call and delivers nothing.
    public func drain(within limit: Duration?) async throws(StoreError) -> DrainReport {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        state.withLock { $0.drains += 1 }
        return DrainReport(remaining: try await store.counts(of: account))
    }
}
