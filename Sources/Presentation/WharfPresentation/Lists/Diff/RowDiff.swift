/// The changes of rows. Positions refer to the whole old or the whole new list.
@usableFromInline struct RowDiff {
    /// Deleted rows, without those in deleted sections.
    @usableFromInline var deleted: [ListPosition] = []
    /// Inserted rows, without those in inserted sections.
    @usableFromInline var inserted: [ListPosition] = []
    @usableFromInline var moved: [ListMove<ListPosition>] = []
    /// Positions in the new list of rows with new content in the same cell.
    @usableFromInline var changed: [ListPosition] = []
    /// Positions in the new list of rows with new content in another cell.
    @usableFromInline var reloaded: [ListPosition] = []

    @inlinable @inline(__always) init<ID, Element, RowID: Hashable>(
        from old: [ListSection<ID, Element>], to new: [ListSection<ID, Element>], sections: SectionDiff,
        id: (Element) -> RowID, isEqual: (Element, Element) -> Bool, keepsCell: (Element, Element) -> Bool
    ) {
        let (oldStarts, newStarts) = (Starts(old), Starts(new))
        var pairing = Pairing<RowID>(oldCount: oldStarts.rowCount, newCount: newStarts.rowCount)
        for (section, before) in sections.oldOfNew.enumerated() {
            let rows = new[section].elements
            if before >= 0 {
                pairing.pair(old[before].elements, from: oldStarts[before], rows, from: newStarts[section], id: id)
            } else {
                pairing.find(rows, rows.indices, from: newStarts[section], id: id)
            }
        }
        for (section, after) in sections.newOfOld.enumerated() where after < 0 {
            let rows = old[section].elements
            pairing.lose(rows, rows.indices, from: oldStarts[section], id: id)
        }
        // If the lists have one section that stays, no leftover row can have moved to another.
        let isOneSection = old.count == 1 && new.count == 1 && sections.oldOfNew[0] == 0
        if !isOneSection { pairing.pairLeftovers() }

        for (section, after) in sections.newOfOld.enumerated() where after >= 0 {
            for row in old[section].elements.indices where pairing.newOfOld[oldStarts[section] + row] < 0 {
                deleted.append(ListPosition(section: section, row: row))
            }
        }
        // A row that stays in its section moves only if it is outside of the longest ascending run.
        var isMoved = ContiguousArray(repeating: false, count: newStarts.rowCount)
        var order = Order()
        for (section, before) in sections.oldOfNew.enumerated() {
            let range = before >= 0 ? oldStarts.range(before) : 0..<0
            let start = newStarts[section]
            order.mark(&isMoved, in: newStarts.range(section), of: pairing.oldOfNew, within: range)
            for row in new[section].elements.indices {
                let position = ListPosition(section: section, row: row)
                let from = Int(pairing.oldOfNew[start + row])
                // Rows of an inserted section come with it.
                guard from >= 0 else {
                    if before >= 0 { inserted.append(position) }
                    continue
                }
                let origin: ListPosition
                if range.contains(from) {
                    origin = ListPosition(section: before, row: from - range.lowerBound)
                    if isMoved[start + row] { moved.append(ListMove(from: origin, to: position)) }
                } else {
                    // The row comes from another section, so it moves in any case.
                    origin = oldStarts.position(from)
                    moved.append(ListMove(from: origin, to: position))
                }
                if !isEqual(old[origin.section].elements[origin.row], new[section].elements[row]) {
                    if keepsCell(old[origin.section].elements[origin.row], new[section].elements[row]) {
                        changed.append(position)
                    } else {
                        reloaded.append(position)
                    }
                }
            }
        }
    }
}

/// The numbering of the rows of all sections in one sequence.
@usableFromInline struct Starts {
    /// By section the number of its first row, and at the end the count of all rows.
    @usableFromInline let starts: ContiguousArray<Int>

    @inlinable init<ID, Element>(_ sections: [ListSection<ID, Element>]) {
        var starts: ContiguousArray<Int> = [0]
        starts.reserveCapacity(sections.count + 1)
        var count = 0
        for section in sections {
            count += section.elements.count
            starts.append(count)
        }
        self.starts = starts
    }

    @inlinable var rowCount: Int { starts[starts.count - 1] }
    @inlinable subscript(section: Int) -> Int { starts[section] }
    @inlinable func range(_ section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

    @inlinable func position(_ number: Int) -> ListPosition {
        var (low, high) = (0, starts.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= number { low = middle } else { high = middle }
        }
        return ListPosition(section: low, row: number - starts[low])
    }
}
