/// Matches the items of two sequences by id. Each item gets at most one partner.
///
/// A parallel walk over both sequences pairs items that keep their order, without hashing. A hash
/// table pairs the items that the walk leaves over.
@usableFromInline struct Pairing<ID: Hashable> {
    /// By old index the new index, -1 for none. The indices have 32 bits because a long list is
    /// bound by memory bandwidth.
    @usableFromInline var newOfOld: ContiguousArray<Int32>
    @usableFromInline var oldOfNew: ContiguousArray<Int32>
    // Invariants:
    // - `newOfOld` and `oldOfNew` are inverse to each other where both are not -1.
    // - Each item is paired, or in `lost` or `found`, once the part that it belongs to was walked.
    @usableFromInline var lost: ContiguousArray<Unpaired<ID>> = []
    @usableFromInline var found: ContiguousArray<Unpaired<ID>> = []
    @usableFromInline var table = PlaceTable()

    @inlinable init(oldCount: Int, newCount: Int) {
        newOfOld = ContiguousArray(repeating: -1, count: oldCount)
        oldOfNew = ContiguousArray(repeating: -1, count: newCount)
    }

    /// Pairs the items of two parts of the sequences, which begin at these indices.
    @inlinable @inline(__always) mutating func pair<Item>(
        _ old: [Item], from oldStart: Int, _ new: [Item], from newStart: Int, id: (Item) -> ID
    ) {
        // Leftovers of earlier parts stay in front. Only those of this part are matched now, so a
        // row stays in its section if it can.
        let (lostBefore, foundBefore) = (lost.count, found.count)
        walk(old, from: oldStart, new, from: newStart, id: id)
        pairByTable(lostBefore..<lost.count, foundBefore..<found.count)
    }

    /// Pairs the items that are left over in all parts.
    @inlinable mutating func pairLeftovers() {
        // Items that the tables of the parts have paired are still listed.
        lost.removeAll { newOfOld[Int($0.index)] >= 0 }
        found.removeAll { oldOfNew[Int($0.index)] >= 0 }
        pairByTable(lost.indices, found.indices)
    }

    @inlinable @inline(__always) mutating func lose<Item>(
        _ old: [Item], _ range: Range<Int>, from start: Int, id: (Item) -> ID
    ) {
        for index in range { lost.append(Unpaired(id: id(old[index]), index: start + index)) }
    }

    @inlinable @inline(__always) mutating func find<Item>(
        _ new: [Item], _ range: Range<Int>, from start: Int, id: (Item) -> ID
    ) {
        for index in range { found.append(Unpaired(id: id(new[index]), index: start + index)) }
    }

    @inlinable mutating func pair(_ old: Int, _ new: Int) {
        newOfOld[old] = Int32(new)
        oldOfNew[new] = Int32(old)
    }

    @inlinable mutating func pairByTable(_ lostOnes: Range<Int>, _ foundOnes: Range<Int>) {
        guard !lostOnes.isEmpty, !foundOnes.isEmpty else { return }
        table.reset(for: lostOnes.count)
        // Inserted in reverse, so that of equal ids the first is taken first.
        for place in lostOnes.reversed() { table.insert(place, of: &lost) }
        for place in foundOnes {
            guard let partner = table.take(found[place], of: &lost) else { continue }
            pair(Int(lost[partner].index), Int(found[place].index))
        }
    }
}
