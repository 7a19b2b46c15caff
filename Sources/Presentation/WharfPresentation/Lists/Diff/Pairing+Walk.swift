extension Pairing {
    /// The initial number of items to look ahead for a partner.
    @inlinable static var nearby: Int { 8 }
    /// After this many consecutive misses the walk leaves the rest to the table.
    @inlinable static var patience: Int { 16 }

    /// Pairs items along both parts, in ascending order.
    ///
    /// Items that the walk misses go to `lost` and `found`.
    @inlinable @inline(__always) mutating func walk<Item>(
        _ old: [Item], from oldStart: Int, _ new: [Item], from newStart: Int, id: (Item) -> ID
    ) {
        var (oldEnd, newEnd) = (old.count, new.count)
        // The common end first. Without it one row inserted at the top would push the walk out of
        // step.
        while oldEnd > 0, newEnd > 0, id(old[oldEnd - 1]) == id(new[newEnd - 1]) {
            oldEnd -= 1
            newEnd -= 1
            pair(oldStart + oldEnd, newStart + newEnd)
        }
        // In long parts each run of misses widens the window, so that the walk gets past a block of
        // inserted or deleted rows.
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
            // The skipped items may still have a partner elsewhere, which the table finds.
            lose(old, oldIndex..<oldNext, from: oldStart, id: id)
            find(new, newIndex..<newNext, from: newStart, id: id)
            (oldIndex, newIndex) = (oldNext, newNext)
            misses += 1
        }
        lose(old, oldIndex..<oldEnd, from: oldStart, id: id)
        find(new, newIndex..<newEnd, from: newStart, id: id)
    }

    /// Returns the indices to continue at when the first two items differ.
    ///
    /// That is the nearest partner of one of them, or else the place behind both.
    @inlinable @inline(__always) func next<Item>(
        _ old: [Item], _ oldRange: Range<Int>, _ new: [Item], _ newRange: Range<Int>, _ window: Int,
        id: (Item) -> ID
    ) -> (old: Int, new: Int) {
        let (oldFirst, newFirst) = (oldRange.lowerBound, newRange.lowerBound)
        // A single moved item can be met far ahead. Going there would skip all items in between,
        // which then miss their partners. So a far match counts only if its successors match too.
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
