internal import WharfCore
internal import WharfPrimitives

/// Events between their being tracked and the outbox's having them: in order, one commit at a time,
/// those that wait together in the next.
struct TrackQueue {
    struct Item {
        var id: String
        var category: Consent.Category
        var entries: [OutboxEntry]
        /// nil: it was posted, and nobody waits.
        var waiter: Promise<Result<Tracked, AnalyticsError>>?
    }

    private(set) var waiting: [Item] = []
    private var isWriting = false
    /// Fulfilled when the commit that is under way has ended; nil if no task waits for it.
    private var commitEnd: Promise<Void>?
    /// Of posted events. Who waits for the others sees to it that there are not too many.
    private let limit: Int
    private var posted = 0

    init(limit: Int) { self.limit = max(1, limit) }

    /// - Returns: whether somebody has to begin to write, and what has made room.
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

    /// Ends the commit before.
    ///
    /// - Returns: what goes into the next, nothing when the writing ends; and the promise of the
    ///   one before.
    mutating func next() -> (items: [Item], commitEnd: Promise<Void>?) {
        let result = (waiting, commitEnd)
        isWriting = !waiting.isEmpty
        (waiting, commitEnd, posted) = ([], nil, 0)
        return result
    }

    /// Takes out what nobody has consented to any more.
    mutating func withdraw(_ consent: Consent) -> [Item] {
        let withdrawn = waiting.filter { !consent.allows($0.category) }
        waiting.removeAll { !consent.allows($0.category) }
        posted = waiting.count { $0.waiter == nil }
        return withdrawn
    }

    /// - Returns: the end of the commit that is under way; nil if there is none.
    mutating func endOfCommit() -> Promise<Void>? {
        guard isWriting else { return nil }
        let end = commitEnd ?? Promise()
        commitEnd = end
        return end
    }
}
