#if canImport(UIKit) && !os(watchOS)
internal import UIKit

/// The list that a view shows, and the batches that lead to the next one.
@MainActor final class ShownList<Source: ListSource & IdentifiedSections>
where Source.Element: Identifiable & Equatable, Source.Element.ID: Sendable {
    typealias Section = ListSection<ListID<Source.SectionKey>, ListRow<Source.Element>>

    // Invariant on the main actor: outside of a batch, `sections` are those of `source`, except for
    // a row that the user has moved (`isAhead`).
    private(set) var source: Source
    /// The sections that the data source reports, in the midst of a batch too.
    private(set) var sections: [Section]
    /// Whether the cell of the one row can show the other.
    private let keepsCell: (ListRow<Source.Element>, ListRow<Source.Element>) -> Bool
    let onError: @MainActor (any Error) -> Void
    /// Whether the user has moved a row that the source still has in its old place.
    private var isAhead = false

    init<Context, Cell>(
        _ source: Source, cells: CellRegistry<Source.Element, Context, Cell>,
        onError: @escaping @MainActor (any Error) -> Void
    ) {
        self.source = source
        keepsCell = cells.keepsCell
        self.sections = source.listSections()
        self.onError = onError
    }

    func section(_ section: Int) -> Section? { sections.indices.contains(section) ? sections[section] : nil }

    /// - Precondition: the path is one that the data source has reported.
    func row(_ path: IndexPath) -> ListRow<Source.Element> { sections[path.section].elements[path.item] }

    func show(_ next: Source, in view: (any BatchedView)?) {
        // A view that reloads rows loses their selection, and one that moves them may.
        let selection = selection(in: view)
        // Before the batches: the view asks for cells and abilities in the midst of them.
        source = next
        isAhead = false
        let error = change(to: next.listSections(), in: view)
        select(selection, in: view)
        // This is the last statement, because `onError` may show another list.
        if let error { onError(error) }
    }

    private func change(to target: [Section], in view: (any BatchedView)?) -> ListError? {
        // A batch of a view without a window raises an exception, which would end the app.
        guard let view, view.isInWindow else {
            reload(target, in: view)
            return nil
        }
        let changes = ListChanges(
            from: sections, to: target, id: { $0.id }, isEqual: { $0 == $1 }, keepsCell: keepsCell)
        for stage in changes.stages {
            do {
                try stage.validate(shown: view.shownCounts, source: stage.sections.map(\.elements.count))
            } catch {
                reload(target, in: view)
                return error
            }
            // `sections` changes inside of the batch. UIKit counts the rows before and after, and
            // raises if they do not add up.
            view.perform(stage) { [self] in sections = stage.sections }
        }
        return nil
    }

    private func reload(_ target: [Section], in view: (any BatchedView)?) {
        sections = target
        view?.reloadData()
    }

    // MARK: Selection

    /// The rows that the view shows as selected.
    func selection(in view: (any BatchedView)?) -> ListSelection<Source.Element.ID> {
        let ids = (view?.selectedPaths ?? []).compactMap { path -> Source.Element.ID? in
            guard let section = section(path.section), section.elements.indices.contains(path.item) else { return nil }
            return section.elements[path.item].element?.id
        }
        return ListSelection(Set(ids), allowsSeveral: ids.count > 1)
    }

    /// Selects exactly these rows, as far as the list has them.
    func select(_ selection: ListSelection<Source.Element.ID>, in view: (any BatchedView)?) {
        guard let view else { return }
        let wanted = Set(selection.positions(in: { sections }).map(\.indexPath))
        let selected = Set(view.selectedPaths)
        for path in selected.subtracting(wanted) { view.setSelected(false, at: path) }
        for path in wanted.subtracting(selected).sorted() { view.setSelected(true, at: path) }
    }

    // MARK: What the user does

    func isEditable(_ path: IndexPath) -> Bool {
        guard let rows = source as? any EditableRows, let position = position(path) else { return false }
        return rows.isEditable(at: position)
    }

    /// Returns whether a row can be moved now.
    ///
    /// False after a move, because destinations refer to an order that the source does not have
    /// yet.
    func isMovable(_ path: IndexPath) -> Bool {
        !isAhead && (source as? any MovableRows)?.isMovable(at: ListPosition(path)) ?? false
    }

    func delete(_ path: IndexPath) {
        guard isEditable(path), let rows = source as? any EditableRows, let position = position(path) else { return }
        Task {
            do { try await rows.delete(at: position) } catch { onError(error) }
        }
    }

    /// Returns the position in the source of the row shown at this path.
    private func position(_ path: IndexPath) -> ListPosition? {
        // The view is one move ahead of the source, so the row is found by its id.
        guard isAhead else { return ListPosition(path) }
        let id = row(path).id
        for (section, shown) in source.listSections().enumerated() {
            if let row = shown.elements.firstIndex(where: { $0.id == id }) {
                return ListPosition(section: section, row: row)
            }
        }
        return nil
    }

    /// Moves a row that the view already shows in its new place.
    ///
    /// If the move fails, the view goes back to the source's order.
    func move(_ path: IndexPath, to destination: IndexPath, in view: any BatchedView) {
        guard let rows = source as? any MovableRows else { return }
        isAhead = true
        // At once and without a batch: UIKit has moved the cell already, and asks for the counts of
        // the new order.
        let row = sections[path.section].elements.remove(at: path.item)
        sections[destination.section].elements.insert(row, at: destination.item)
        Task { [weak view] in
            do {
                try await rows.move(from: ListPosition(path), to: ListPosition(destination))
            } catch {
                show(source, in: view)
                onError(error)
            }
        }
    }
}
#endif
