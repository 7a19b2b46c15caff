/// Stages of changes that do not fit into one batch.
///
/// The first stage inserts and moves sections, and deletes those that no row moves out of. The
/// second changes rows. The third deletes the sections that rows have moved out of.
///
/// Between the first and the third stage the list has the sections of the new list, in order, and
/// the leaving ones.
@usableFromInline struct SectionsFirst<ID: Hashable & Sendable, Element: Sendable> {
    @usableFromInline typealias Section = ListSection<ID, Element>

    @usableFromInline let old: [Section]
    @usableFromInline let new: [Section]
    @usableFromInline let sections: SectionDiff
    @usableFromInline let rows: RowDiff
    /// Rows that move out of deleted sections, by section.
    @usableFromInline var movedOut: [Int: Set<Int>] = [:]
    /// Rows that move into inserted sections, by section.
    @usableFromInline var movedIn: [Int: Set<Int>] = [:]
    @usableFromInline var between: [Between] = []
    /// The index in `between` of each section of the new list.
    @usableFromInline var placeOfNew: [Int] = []
    /// The index in `between` of each section of the old list; -1 if it is not there.
    @usableFromInline var placeOfOld: [Int] = []

    @usableFromInline enum Between {
        case new(Int)
        case leaving(Int)
    }

    @inlinable init(from old: [Section], to new: [Section], sections: SectionDiff, rows: RowDiff) {
        self.old = old
        self.new = new
        self.sections = sections
        self.rows = rows
        for move in rows.moved {
            if sections.newOfOld[move.from.section] < 0 {
                movedOut[move.from.section, default: []].insert(move.from.row)
            }
            if sections.oldOfNew[move.to.section] < 0 { movedIn[move.to.section, default: []].insert(move.to.row) }
        }
        arrange()
    }

    /// Places the leaving sections so that they need not move.
    ///
    /// Each stands before the next old section that stays without moving.
    @inlinable mutating func arrange() {
        placeOfNew = Array(repeating: -1, count: new.count)
        placeOfOld = Array(repeating: -1, count: old.count)
        var leaving = movedOut.keys.sorted()[...]
        for section in new.indices {
            let before = sections.oldOfNew[section]
            // Leaving sections stand where the order of the old list puts them. Anywhere else the
            // first stage would have to move them.
            if before >= 0, !sections.isMoved[section] {
                while let first = leaving.first, first < before { place(.leaving(leaving.removeFirst())) }
            }
            place(.new(section))
        }
        for section in leaving { place(.leaving(section)) }
    }

    @inlinable mutating func place(_ section: Between) {
        switch section {
        case .new(let index):
            placeOfNew[index] = between.count
            if sections.oldOfNew[index] >= 0 { placeOfOld[sections.oldOfNew[index]] = between.count }
        case .leaving(let index):
            placeOfOld[index] = between.count
        }
        between.append(section)
    }

    @inlinable var stages: [ListStage<ID, Element>] {
        var ofSections = ListStage<ID, Element>(
            sections: between.map { section in
                switch section {
                case .leaving(let index): old[index]
                // Rows that move in are still in their old sections at this stage.
                case .new(let index) where sections.oldOfNew[index] < 0: new[index].without(movedIn[index])
                case .new(let index): new[index].with(old[sections.oldOfNew[index]].elements)
                }
            })
        ofSections.deletedSections = sections.deleted.filter { movedOut[$0] == nil }
        ofSections.insertedSections = sections.inserted.map { placeOfNew[$0] }
        ofSections.movedSections = sections.moved.map { ListMove(from: $0.from, to: placeOfNew[$0.to]) }
        var ofRows = ListStage<ID, Element>(
            sections: between.map { section in
                switch section {
                case .leaving(let index): old[index].without(movedOut[index])
                case .new(let index): new[index]
                }
            })
        ofRows.deletedRows = rows.deleted.map { $0.inSection(placeOfOld[$0.section]) }
        ofRows.insertedRows = rows.inserted.map { $0.inSection(placeOfNew[$0.section]) }
        ofRows.movedRows = rows.moved.map {
            ListMove(
                from: $0.from.inSection(placeOfOld[$0.from.section]),
                to: $0.to.inSection(placeOfNew[$0.to.section]))
        }
        var ofLeft = ListStage(sections: new)
        ofLeft.deletedSections = movedOut.keys.map { placeOfOld[$0] }.sorted()
        return [ofSections, ofRows, ofLeft]
    }
}

extension ListSection {
    @inlinable func with(_ elements: [Element]) -> Self {
        var copy = self
        copy.elements = elements
        return copy
    }

    @inlinable func without(_ rows: Set<Int>?) -> Self {
        guard let rows else { return self }
        return with(elements.indices.filter { !rows.contains($0) }.map { elements[$0] })
    }
}

extension ListPosition {
    @inlinable func inSection(_ section: Int) -> Self { Self(section: section, row: row) }
}
