internal import WharfCore

/// Events between their being tracked and the outbox's having them: in order, one commit at a time, those that wait together in
/// the next.
struct TrackQueue {
    struct Item {
        var id: String
        var category: Consent.Category
        var entries: [OutboxEntry]
        /// nil: it was posted, and nobody waits.
        var waiter: CheckedContinuation<Result<Tracked, AnalyticsError>, Never>?
    }

    private(set) var waiting: [Item] = []
    private var isWriting = false
    /// Who waits for the commit that is under way.
    private var witnesses: [CheckedContinuation<Void, Never>] = []
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
    /// - Returns: what goes into the next, nothing when the writing ends; and who waited for the one before.
    mutating func next() -> (items: [Item], witnesses: [CheckedContinuation<Void, Never>]) {
        let result = (waiting, witnesses)
        isWriting = !waiting.isEmpty
        (waiting, witnesses, posted) = ([], [], 0)
        return result
    }

    /// Takes out what nobody has consented to any more.
    mutating func withdraw(_ consent: Consent) -> [Item] {
        let withdrawn = waiting.filter { !consent.allows($0.category) }
        waiting.removeAll { !consent.allows($0.category) }
        posted = waiting.count { $0.waiter == nil }
        return withdrawn
    }

    /// - Returns: whether there is nothing to wait for.
    mutating func awaitCommit(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard isWriting else { return true }
        witnesses.append(continuation)
        return false
    }
}
