#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// Shows a list in a table, and animates the changes between lists.
///
/// Each row is shown by the cell that is registered for it.
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
/// `films` decorates each list in the same way. If the list has ``EditableRows`` or
/// ``MovableRows``, the user can delete and move rows. The result is shown with the next list.
///
/// A table shows a reorder control only for rows that it takes for editable. A row that can only be
/// moved therefore counts as editable here. For such a row the delegate answers
/// `editingStyleForRowAt` with `.none`. It answers `targetIndexPathForMoveFromRowAt` by
/// `canMove(from:to:)` of ``list``.
///
/// A changed row keeps its cell, so a field in it keeps its focus: the cell renders the new
/// element. Cells have to come from `dequeueReusableCell(withIdentifier:for:)`, which then returns
/// the cell on the screen. A row that now has another registered cell is reloaded.
///
/// A table has no text above and below all sections. Put ``ListHeader`` and ``ListFooter`` into its
/// `tableHeaderView` and `tableFooterView`.
@MainActor
public final class ListTableDataSource<Source: ListSource & IdentifiedSections>:
    NSObject, UITableViewDataSource, UITableViewDataSourcePrefetching
where Source.Element: Identifiable & Equatable, Source.Element.ID: Sendable {
    /// The cells of this data source, dequeued from a table for an index path.
    public typealias Cells = CellRegistry<Source.Element, (table: UITableView, path: IndexPath), UITableViewCell>

    private let shown: ShownList<Source>
    private let cells: Cells
    private let loader: ListLoader<Source.Element.ID>?
    private weak var table: UITableView?

    /// Creates a data source and sets it in the table, which does not retain it.
    ///
    /// - Parameters:
    ///   - cells: kept as long as this data source.
    ///   - loader: told which rows appear and which are likely to. If it can refresh, the table
    ///     gets a refresh control. If it prefetches, this becomes the table's prefetch data source.
    ///   - onError: called with the error of a deletion or move that failed, and when a batch would
    ///     have raised. In that case the table has been reloaded. Kept as long as this data source.
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

    /// The newest list. The table shows it, or will when the current batches are done.
    public var list: Source { shown.source }

    /// Shows another list, with animation. Rows of both lists keep their selection.
    public func show(_ list: Source) { shown.show(list, in: table) }

    /// The selected rows.
    ///
    /// Setting it selects exactly these rows. As in UIKit, no delegate method is called.
    public var selection: ListSelection<Source.Element.ID> {
        get { shown.selection(in: table) }
        set { shown.select(newValue, in: table) }
    }

    // These are in the class because an extension of a generic class cannot have `@objc` members.

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
