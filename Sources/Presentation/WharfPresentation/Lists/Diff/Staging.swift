/// Distributes changes over batches by the rules of ``ListStage``.
@usableFromInline struct Staging<ID: Hashable & Sendable, Element: Sendable> {
    @usableFromInline var stages: [ListStage<ID, Element>] = []

    @inlinable init(
        from old: [ListSection<ID, Element>], to new: [ListSection<ID, Element>], sections: SectionDiff, rows: RowDiff
    ) {
        let movesSections = sections.isMoved.contains(true)
        let changesSections = movesSections || sections.newOfOld.contains(-1) || sections.oldOfNew.contains(-1)
        let changesRows = !rows.deleted.isEmpty || !rows.inserted.isEmpty
        // UIKit raises for both in one batch (see `ListStage.checkCombination`).
        if changesSections && !rows.moved.isEmpty || movesSections && changesRows {
            append(SectionsFirst(from: old, to: new, sections: sections, rows: rows).stages)
        } else {
            var stage = ListStage(sections: new)
            stage.deletedSections = sections.deleted
            stage.insertedSections = sections.inserted
            stage.movedSections = sections.moved
            stage.deletedRows = rows.deleted
            stage.insertedRows = rows.inserted
            stage.movedRows = rows.moved
            append([stage])
        }
        var reconfiguring = ListStage(sections: new)
        reconfiguring.changedRows = rows.changed
        var reloading = ListStage(sections: new)
        reloading.reloadedRows = rows.reloaded
        var reheading = ListStage(sections: new)
        reheading.changedSections = sections.changed
        append([reconfiguring, reloading, reheading])
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
