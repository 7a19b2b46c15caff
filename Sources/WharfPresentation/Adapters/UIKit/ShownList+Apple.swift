#if canImport(UIKit) && !os(watchOS)
internal import UIKit

/// What a view shows of a list, and how it gets from there to the next one.
@MainActor final class ShownList<Source: ListSource & IdentifiedSections>
where Source.Element: Identifiable & Equatable {
    typealias Section = ListSection<ListID<Source.SectionKey>, ListRow<Source.Element>>

    private(set) var source: Source
    /// What the view is to be told, in the midst of a batch too.
    private(set) var sections: [Section]
    /// Whether a cell that shows one row can show the other.
    private let keepsCell: (ListRow<Source.Element>, ListRow<Source.Element>) -> Bool
    let onError: @MainActor (any Error) -> Void
    /// A row was moved by hand: until the next list the source has an older order than the view.
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

    /// - Precondition: the view asks for what it was told that there is.
    func row(_ path: IndexPath) -> ListRow<Source.Element> { sections[path.section].elements[path.item] }

    func show(_ next: Source, in view: (any BatchedView)?) {
        source = next
        isAhead = false
        let target = next.listSections()
        guard let view, view.isInWindow else { return reload(target, in: view) }
        let changes = ListChanges(
            from: sections, to: target, id: { $0.id }, isEqual: { $0 == $1 }, keepsCell: keepsCell)
        for stage in changes.stages {
            do {
                try stage.validate(shown: view.shownCounts, source: stage.sections.map(\.elements.count))
            } catch {
                // Before anybody is told, who may show another list then.
                reload(target, in: view)
                return onError(error)
            }
            view.perform(stage) { [self] in sections = stage.sections }
        }
    }

    private func reload(_ target: [Section], in view: (any BatchedView)?) {
        sections = target
        view?.reloadData()
    }

    // MARK: What the user does

    func isEditable(_ path: IndexPath) -> Bool {
        guard let rows = source as? any EditableRows, let position = position(path) else { return false }
        return rows.isEditable(at: position)
    }

    /// Where a row goes to can't be said in an order that the source does not have.
    func isMovable(_ path: IndexPath) -> Bool {
        !isAhead && (source as? any MovableRows)?.isMovable(at: ListPosition(path)) ?? false
    }

    func delete(_ path: IndexPath) {
        guard isEditable(path), let rows = source as? any EditableRows, let position = position(path) else { return }
        Task {
            do { try await rows.delete(at: position) } catch { onError(error) }
        }
    }

    /// Where the source has what is shown there.
    private func position(_ path: IndexPath) -> ListPosition? {
        guard isAhead else { return ListPosition(path) }
        let id = row(path).id
        for (section, shown) in source.listSections().enumerated() {
            if let row = shown.elements.firstIndex(where: { $0.id == id }) {
                return ListPosition(section: section, row: row)
            }
        }
        return nil
    }

    /// The view shows the row in its new place already. When it can't stay there the list is shown as it is.
    func move(_ path: IndexPath, to destination: IndexPath, in view: any BatchedView) {
        guard let rows = source as? any MovableRows else { return }
        isAhead = true
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
