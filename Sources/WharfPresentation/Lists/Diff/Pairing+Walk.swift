extension Pairing {
    /// How far ahead a partner is looked for at first.
    @inlinable static var nearby: Int { 8 }
    /// After so many items in a row without a partner the rest is left to the table.
    @inlinable static var patience: Int { 16 }

    /// Pairs items along both parts, which gives partners in ascending order, and leaves over what
    /// it misses.
    @inlinable @inline(__always) mutating func walk<Item>(
        _ old: [Item], from oldStart: Int, _ new: [Item], from newStart: Int, id: (Item) -> ID
    ) {
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > 0, newEnd > 0, id(old[oldEnd - 1]) == id(new[newEnd - 1]) {
            oldEnd -= 1
            newEnd -= 1
            pair(oldStart + oldEnd, newStart + newEnd)
        }
        // In long parts farther with each miss, so that a block of rows that comes or goes is
        // looked over.
        let farthest = min(8 * Self.nearby, max(Self.nearby, (oldEnd + newEnd) / 32))
        var (oldIndex, newIndex, misses) = (0, 0, 0)
        while oldIndex < oldEnd, newIndex < newEnd, misses < Self.patience {
            if id(old[oldIndex]) == id(new[newIndex]) {
                pair(oldStart + oldIndex, newStart + newIndex)
                oldIndex += 1
                newIndex += 1
                misses = 0
                continue
            }
            let window = min(farthest, Self.nearby << (misses / 4))
            let (oldNext, newNext) = next(old, oldIndex..<oldEnd, new, newIndex..<newEnd, window, id: id)
            lose(old, oldIndex..<oldNext, from: oldStart, id: id)
            find(new, newIndex..<newNext, from: newStart, id: id)
            (oldIndex, newIndex) = (oldNext, newNext)
            misses += 1
        }
        lose(old, oldIndex..<oldEnd, from: oldStart, id: id)
        find(new, newIndex..<newEnd, from: newStart, id: id)
    }

    /// Where to go on when the first two differ: at the nearest partner of one of them, or behind
    /// both.
    @inlinable @inline(__always) func next<Item>(
        _ old: [Item], _ oldRange: Range<Int>, _ new: [Item], _ newRange: Range<Int>, _ window: Int,
        id: (Item) -> ID
    ) -> (old: Int, new: Int) {
        let (oldFirst, newFirst) = (oldRange.lowerBound, newRange.lowerBound)
        // An item that has moved alone is met far away, too. Those behind it are no partners then:
        // who goes there is lost.
        func isWay(_ oldIndex: Int, _ newIndex: Int, _ ahead: Int) -> Bool {
            guard id(old[oldIndex]) == id(new[newIndex]) else { return false }
            return ahead <= Self.nearby || oldIndex + 1 == oldRange.upperBound || newIndex + 1 == newRange.upperBound
                || id(old[oldIndex + 1]) == id(new[newIndex + 1])
        }
        for ahead in 1...window {
            let (oldAhead, newAhead) = (oldFirst + ahead, newFirst + ahead)
            if oldAhead < oldRange.upperBound, isWay(oldAhead, newFirst, ahead) { return (oldAhead, newFirst) }
            if newAhead < newRange.upperBound, isWay(oldFirst, newAhead, ahead) { return (oldFirst, newAhead) }
        }
        return (oldFirst + 1, newFirst + 1)
    }
}
