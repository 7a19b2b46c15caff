/// The entries that were used since the last write, in order.
///
/// They are collected so that a hit writes nothing.
struct RecentUses {
    // Invariant: `last` grows with each mark, so a higher number means a later use. 0 is a mark
    // that was put back.
    private var order: [Int64: UInt64] = [:]
    private var last: UInt64 = 0
    /// The number of marked entries since the last ``take()``.
    ///
    /// Marks that were put back don't count. The next write after a failed one is then due after
    /// the same number of hits, and not at each hit or never.
    private var fresh = 0
    private let limit: Int

    /// - Parameter limit: how many entries are collected before they are due to be written.
    init(limit: Int) { self.limit = limit }

    /// Marks an entry, and returns true once when the marks are due to be written.
    ///
    /// They are then written without waiting for the next commit.
    mutating func mark(_ id: Int64) -> Bool {
        last += 1
        guard order.updateValue(last, forKey: id) == nil else { return false }
        fresh += 1
        // Only the mark that reaches the limit returns true. Otherwise each hit above it would
        // start a write.
        return fresh == limit
    }

    /// Takes all marks, the least recent first.
    mutating func take() -> [Int64] {
        defer {
            order.removeAll(keepingCapacity: true)
            fresh = 0
        }
        return order.sorted { $0.value < $1.value }.map(\.key)
    }

    /// Restores marks that could not be written. Newer marks have precedence.
    mutating func putBack(_ ids: [Int64]) {
        // Newer marks win: the entry was used again while the write failed.
        for id in ids where order[id] == nil { order[id] = 0 }
    }
}
