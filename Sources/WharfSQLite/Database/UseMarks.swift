#if SQLite
/// Which entries were looked up since the last write, in order, so that a hit writes nothing.
struct UseMarks {
    private var order: [Int64: UInt64] = [:]
    private var last: UInt64 = 0
    private let limit: Int

    /// - Parameter limit: how many entries are remembered before they are due to be written.
    init(limit: Int) { self.limit = limit }

    /// True once when it is time to write them without waiting for the next commit.
    mutating func mark(_ id: Int64) -> Bool {
        last += 1
        let isNew = order.updateValue(last, forKey: id) == nil
        return isNew && order.count == limit
    }

    /// Hands over all marks, the least recent first.
    mutating func take() -> [Int64] {
        defer { order.removeAll(keepingCapacity: true) }
        return order.sorted { $0.value < $1.value }.map(\.key)
    }

    /// Takes marks back that could not be written; newer ones stand.
    mutating func putBack(_ ids: [Int64]) {
        for id in ids where order[id] == nil { order[id] = 0 }
    }
}
#endif
