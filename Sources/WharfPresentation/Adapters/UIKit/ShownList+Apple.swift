#if canImport(UIKit) && !os(watchOS)
internal import UIKit

/// What a view shows of a list, and how it gets from there to the next one.
@MainActor final class ShownList<Source: ListSource & IdentifiedSections>
where Source.Element: Identifiable & Equatable {
    typealias Section = ListSection<ListID<Source.SectionKey>, ListRow<Source.Element>>

    private(set) var source: Source
    /// What the view is to be told, in the midst of a batch too.
    private(set) var sections: [Section]
    let onError: @MainActor (any Error) -> Void

    init(_ source: Source, onError: @escaping @MainActor (any Error) -> Void) {
        self.source = source
        self.sections = source.listSections()
        self.onError = onError
    }

    func section(_ section: Int) -> Section? { sections.indices.contains(section) ? sections[section] : nil }

    /// - Precondition: the view asks for what it was told that there is.
    func row(_ path: IndexPath) -> ListRow<Source.Element> { sections[path.section].elements[path.item] }

    func show(_ next: Source, in view: (any BatchedView)?) {
        source = next
        let target = next.listSections()
        guard let view, view.isInWindow else { return reload(target, in: view) }
        for stage in ListChanges(from: sections, to: target).stages {
            do {
                try stage.validate(shown: view.shownCounts, source: stage.sections.map(\.elements.count))
            } catch {
                onError(error)
                return reload(target, in: view)
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
        (source as? any EditableRows)?.isEditable(at: ListPosition(path)) ?? false
    }

    func isMovable(_ path: IndexPath) -> Bool {
        (source as? any MovableRows)?.isMovable(at: ListPosition(path)) ?? false
    }

    func delete(_ path: IndexPath) {
        guard let rows = source as? any EditableRows else { return }
        Task {
            do { try await rows.delete(at: ListPosition(path)) } catch { onError(error) }
        }
    }

    /// The view shows the row in its new place already. When it can't stay there the list is shown as it is.
    func move(_ path: IndexPath, to destination: IndexPath, in view: any BatchedView) {
        guard let rows = source as? any MovableRows else { return }
        let row = sections[path.section].elements.remove(at: path.item)
        sections[destination.section].elements.insert(row, at: destination.item)
        Task { [weak view] in
            do {
                try await rows.move(from: ListPosition(path), to: ListPosition(destination))
            } catch {
                onError(error)
                show(source, in: view)
            }
        }
    }
}
#endif
