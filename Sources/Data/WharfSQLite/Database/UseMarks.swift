#if SQLite
/// The entries that were used since the last write, in order.
///
/// They are collected so that a hit writes nothing.
struct UseMarks {
    private var order: [Int64: UInt64] = [:]
    private var last: UInt64 = 0
    private let limit: Int

    /// - Parameter limit: how many entries are collected before they are due to be written.
    init(limit: Int) { self.limit = limit }

    /// Marks an entry, and returns true once when the marks are due to be written.
    ///
    /// They are then written without waiting for the next commit.
    mutating func mark(_ id: Int64) -> Bool {
        last += 1
        let isNew = order.updateValue(last, forKey: id) == nil
        return isNew && order.count == limit
    }

    /// Takes all marks, the least recent first.
    mutating func take() -> [Int64] {
        defer { order.removeAll(keepingCapacity: true) }
        return order.sorted { $0.value < $1.value }.map(\.key)
    }

    /// Restores marks that could not be written. Newer marks have precedence.
    mutating func putBack(_ ids: [Int64]) {
        for id in ids where order[id] == nil { order[id] = 0 }
    }
}
#endif
