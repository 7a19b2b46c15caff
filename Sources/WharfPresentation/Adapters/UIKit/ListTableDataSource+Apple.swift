#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// Shows a list in a table, each row by the cell that is registered for it, and animates the way
/// from one list to the next.
///
/// ```swift
/// let cells = CellRegistry { (place: (table: UITableView, path: IndexPath)) in
///     place.table.dequeueReusableCell(withIdentifier: "film", for: place.path) as! FilmCell
/// } notices: { … }
/// dataSource = ListTableDataSource(table, list: films(snapshot), cells: cells) { [weak self] error in
///     self?.tell(error)
/// }
///
/// for await snapshot in repository.observeList() { dataSource.show(films(snapshot)) }
/// ```
///
/// `films` decorates each list in the same way. Where the list has ``EditableRows`` or
/// ``MovableRows`` the user can delete and move; what comes of it is shown when the next list is. A
/// table shows no reorder control for a row that it takes for not editable, so one that can be
/// moved alone counts as editable here: a delegate answers `editingStyleForRowAt` with `.none` for
/// it, and `targetIndexPathForMoveFromRowAt` by `canMove(from:to:)` of ``list``.
///
/// A changed row keeps its cell, so a field in it keeps its focus: the cell renders the new
/// element. Cells have to come from `dequeueReusableCell(withIdentifier:for:)`, which returns the
/// cell on the screen then. A row for which another cell is registered is reloaded.
///
/// A table has no text above and below all sections: ``ListHeader`` and ``ListFooter`` are for its
/// `tableHeaderView` and `tableFooterView`.
@MainActor
public final class ListTableDataSource<Source: ListSource & IdentifiedSections>:
    NSObject, UITableViewDataSource, UITableViewDataSourcePrefetching
where Source.Element: Identifiable & Equatable, Source.Element.ID: Sendable {
    public typealias Cells = CellRegistry<Source.Element, (table: UITableView, path: IndexPath), UITableViewCell>

    private let shown: ShownList<Source>
    private let cells: Cells
    private let loader: ListLoader<Source.Element.ID>?
    private weak var table: UITableView?

    /// Becomes the data source of the table, which does not hold it.
    ///
    /// - Parameters:
    ///   - cells: held as long as this is.
    ///   - loader: is told which rows appear and which are likely to. Sets the refresh control and
    ///     the prefetch data source of the view where it loads anything for them.
    ///   - onError: told of deletions and moves that failed, and of a batch that the table would
    ///     not have survived: it has been loaded anew. Held as long as this is.
    public init(
        _ table: UITableView, list: Source, cells: Cells, loader: ListLoader<Source.Element.ID>? = nil,
        onError: @escaping @MainActor (any Error) -> Void
    ) {
        self.table = table
        self.cells = cells
        self.loader = loader
        shown = ShownList(list, cells: cells, onError: onError)
        super.init()
        table.dataSource = self
        if let loader {
            if loader.prefetches { table.prefetchDataSource = self }
            table.pull(toRefreshBy: loader)
        }
        table.reloadData()
    }

    /// What is shown, or will be once the present batches are done.
    public var list: Source { shown.source }

    /// Shows another list. Rows that both lists have stay selected.
    public func show(_ list: Source) { shown.show(list, in: table) }

    /// The selected rows. Setting it selects these rows and no other, and calls no delegate, as in
    /// UIKit.
    public var selection: ListSelection<Source.Element.ID> {
        get { shown.selection(in: table) }
        set { shown.select(newValue, in: table) }
    }

    // In the class itself: an extension of a generic class can have no method of Objective-C.

    public func numberOfSections(in tableView: UITableView) -> Int { shown.sections.count }

    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        shown.section(section)?.elements.count ?? 0
    }

    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        loader?.rowAppeared(at: ListPosition(indexPath), in: shown.source)
        return cells.render(shown.row(indexPath), in: (tableView, indexPath))
    }

    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
        shown.section(section)?.header
    }

    public func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
        shown.section(section)?.footer
    }

    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
        shown.isEditable(indexPath) || shown.isMovable(indexPath)
    }

    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
        shown.isMovable(indexPath)
    }

    public func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {
        if editingStyle == .delete { shown.delete(indexPath) }
    }

    public func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
    ) {
        shown.move(sourceIndexPath, to: destinationIndexPath, in: tableView)
    }

    public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
        loader?.prefetchRows(at: indexPaths.map(ListPosition.init), in: shown.source)
    }

    public func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]) {
        loader?.cancelPrefetching(at: indexPaths.map(ListPosition.init), in: shown.source)
    }
}
#endif
