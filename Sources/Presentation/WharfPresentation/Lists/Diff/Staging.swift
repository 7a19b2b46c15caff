/// Distributes changes over batches by the rules of ``ListStage``.
@usableFromInline struct Staging<ID: Hashable & Sendable, Element: Sendable> {
    @usableFromInline var stages: [ListStage<ID, Element>] = []

    @inlinable init(
        from old: [ListSection<ID, Element>], to new: [ListSection<ID, Element>], sections: SectionDiff, rows: RowDiff
    ) {
        let movesSections = sections.isMoved.contains(true)
        let changesSections = movesSections || sections.newOfOld.contains(-1) || sections.oldOfNew.contains(-1)
        let changesRows = !rows.deleted.isEmpty || !rows.inserted.isEmpty
        if changesSections && !rows.moved.isEmpty || movesSections && changesRows {
            append(SectionsFirst(from: old, to: new, sections: sections, rows: rows).stages)
        } else {
            append([
                ListStage(
                    sections: new, deletedSections: sections.deleted, insertedSections: sections.inserted,
                    movedSections: sections.moved, deletedRows: rows.deleted, insertedRows: rows.inserted,
                    movedRows: rows.moved)
            ])
        }
        append([
            ListStage(sections: new, changedRows: rows.changed),
            ListStage(sections: new, reloadedRows: rows.reloaded),
            ListStage(sections: new, changedSections: sections.changed),
        ])
    }

    @inlinable mutating func append(_ more: [ListStage<ID, Element>]) {
        stages += more.filter { !$0.isEmpty }
    }
}

extension ListStage {
    @inlinable var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && deletedRows.isEmpty
            && insertedRows.isEmpty && movedRows.isEmpty && changedRows.isEmpty && reloadedRows.isEmpty
            && changedSections.isEmpty
    }
}
