internal import WharfCore
internal import WharfPrimitives

/// The queue of tracked events that are not in the outbox yet.
///
/// One commit runs at a time, in order. Events that wait meanwhile share the next commit.
struct TrackQueue {
    struct Item {
        var id: String
        var category: Consent.Category
        var entries: [OutboxEntry]
        /// The promise of the waiting caller; nil for a posted event.
        var waiter: Promise<Result<TrackingResult, AnalyticsError>>?
    }

    // Invariants when the lock is free:
    // - `isWriting` if `waiting` has an item or `commitEnd` a promise. So a writer exists that
    //   takes the items and fulfils the promise.
    // - `posted` is the number of waiting items without a waiter, at most `limit`.
    private(set) var waiting: [Item] = []
    private var isWriting = false
    /// Fulfilled when the running commit has ended; nil if no task waits for it.
    private var commitEnd: Promise<Void>?
    /// The most posted events. Tracked ones are bounded by their waiting callers (back-pressure).
    private let limit: Int
    private var posted = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// - Returns: whether the caller has to start writing, and the event that was dropped to make
    ///   room.
    mutating func add(_ item: Item) -> (begins: Bool, crowdedOut: Item?) {
        var crowdedOut: Item?
        if item.waiter == nil {
            if posted == limit, let oldest = waiting.firstIndex(where: { $0.waiter == nil }) {
                crowdedOut = waiting.remove(at: oldest)
            } else {
                posted += 1
            }
        }
        waiting.append(item)
        defer { isWriting = true }
        return (!isWriting, crowdedOut)
    }

    /// Ends the running commit.
    ///
    /// - Returns: the items of the next commit, empty when writing ends; and the promise of the
    ///   ended commit.
    mutating func next() -> (items: [Item], commitEnd: Promise<Void>?) {
        let result = (waiting, commitEnd)
        isWriting = !waiting.isEmpty
        (waiting, commitEnd, posted) = ([], nil, 0)
        return result
    }

    /// Removes the events that no longer have consent.
    mutating func withdraw(_ consent: Consent) -> [Item] {
        let withdrawn = waiting.filter { !consent.allows($0.category) }
        waiting.removeAll { !consent.allows($0.category) }
        // Tracked items are removed too. Only posted ones count against the limit.
        posted = waiting.count { $0.waiter == nil }
        return withdrawn
    }

    /// - Returns: the end of the running commit; nil if there is none.
    mutating func endOfCommit() -> Promise<Void>? {
        guard isWriting else { return nil }
        let end = commitEnd ?? Promise()
        commitEnd = end
        return end
    }
}
