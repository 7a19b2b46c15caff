/// Observers that wait for the look that their first snapshot comes from.
struct StartingObservers<Key: Hashable & Sendable> {
    private var waiting: [(observer: UInt64, key: Key)] = []
    private var isServed = false

    /// - Returns: whether a task has to be started that serves the waiting observers.
    mutating func append(_ observer: UInt64, _ key: Key) -> Bool {
        waiting.append((observer, key))
        defer { isServed = true }
        return !isServed
    }

    /// Removes the waiting observers, grouped by key. An empty result ends the serving task.
    mutating func take() -> [(key: Key, observers: [UInt64])] {
        defer { waiting = [] }
        isServed = !waiting.isEmpty
        return Dictionary(grouping: waiting, by: \.key).map { ($0, $1.map(\.observer)) }
    }
}
