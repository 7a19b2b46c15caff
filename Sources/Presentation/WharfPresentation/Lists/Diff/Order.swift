/// Finds the fewest items that have to move so that the others keep their order.
@usableFromInline struct Order {
    /// By length of an ascending run: the least old index at its end. `new` is the new index there.
    @usableFromInline var ends: ContiguousArray<(old: Int32, new: Int32)> = []
    /// By new item, the item before it in its run.
    @usableFromInline var previous: ContiguousArray<Int32> = []

    @inlinable init() {}

    /// Marks the moved items in `range`. Items with an old index outside of `bounds` are ignored.
    @inlinable mutating func mark(
        _ isMoved: inout ContiguousArray<Bool>, in range: Range<Int>, of oldOfNew: ContiguousArray<Int32>,
        within bounds: Range<Int>
    ) {
        guard !isAscending(oldOfNew, range, bounds) else { return }
        // Longest ascending subsequence by patience sorting: the items outside of it move.
        // Invariant: the old indices in `ends` ascend.
        ends.removeAll(keepingCapacity: true)
        previous = ContiguousArray(repeating: -1, count: range.count)
        for new in range where bounds.contains(Int(oldOfNew[new])) {
            let old = oldOfNew[new]
            // All items count as moved first. The items of the longest run are unmarked below.
            isMoved[new] = true
            let length = self.length(endingWith: old)
            if length > 0 { previous[new - range.lowerBound] = ends[length - 1].new }
            // A run of this length that ends lower can be extended by more items, so it replaces
            // the one before.
            if length == ends.count { ends.append((old, Int32(new))) } else { ends[length] = (old, Int32(new)) }
        }
        // The longest run, from its end back.
        var new = Int(ends.last?.new ?? -1)
        while new >= 0 {
            isMoved[new] = false
            new = Int(previous[new - range.lowerBound])
        }
    }

    @inlinable func isAscending(_ oldOfNew: ContiguousArray<Int32>, _ range: Range<Int>, _ bounds: Range<Int>) -> Bool {
        var last: Int32 = -1
        for new in range where bounds.contains(Int(oldOfNew[new])) {
            guard oldOfNew[new] > last else { return false }
            last = oldOfNew[new]
        }
        return true
    }

    /// Returns the length of the longest run that `old` can extend.
    ///
    /// Mostly that is among the longest runs, so the search starts there and widens in doubling
    /// steps.
    @inlinable func length(endingWith old: Int32) -> Int {
        var (low, high, step) = (ends.count, ends.count, 1)
        // Gallop down from the longest run, then search in the last step. In nearly sorted lists
        // this takes one comparison.
        while low > 0, ends[low - 1].old >= old {
            high = low - 1
            low = max(0, low - step)
            step *= 2
        }
        while low < high {
            let middle = (low + high) / 2
            if ends[middle].old < old { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
