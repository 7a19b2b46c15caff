#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// Shows a list in a collection view, and animates the changes between lists.
///
/// It works as ``ListTableDataSource`` does for a table, and keeps its closures as long as it
/// lives. A collection view has no text above and below all sections, so ``ListHeader`` and
/// ``ListFooter`` are left to the layout.
@MainActor
public final class ListCollectionDataSource<Source: ListSource & IdentifiedSections>:
    NSObject, UICollectionViewDataSource, UICollectionViewDataSourcePrefetching
where Source.Element: Identifiable & Equatable, Source.Element.ID: Sendable {
    /// The collection view and the index path that a cell is dequeued for.
    public typealias Place = (view: UICollectionView, path: IndexPath)
    /// The cells of this data source.
    public typealias Cells = CellRegistry<Source.Element, Place, UICollectionViewCell>
    /// Returns the view for a header or footer.
    ///
    /// It gets a kind, such as `UICollectionView.elementKindSectionHeader`, and the list's text
    /// there.
    public typealias Captions = (_ kind: String, _ text: String?, _ place: Place) -> UICollectionReusableView

    private let shown: ShownList<Source>
    private let cells: Cells
    private let captions: Captions
    private let loader: ListLoader<Source.Element.ID>?
    private weak var view: UICollectionView?

    /// Creates a data source and sets it in the view, which does not retain it.
    ///
    /// - Parameters:
    ///   - captions: the views of headers and footers; called only if the layout has any.
    ///   - loader: told which rows appear and which are likely to. If it can refresh, the view gets
    ///     a refresh control. If it prefetches, this becomes the view's prefetch data source.
    ///   - onError: called with the error of a move that failed, and when a batch would have
    ///     raised. In that case the view has been reloaded.
    public init(
        _ view: UICollectionView, list: Source, cells: Cells, captions: @escaping Captions,
        loader: ListLoader<Source.Element.ID>? = nil, onError: @escaping @MainActor (any Error) -> Void
    ) {
        self.view = view
        self.cells = cells
        self.loader = loader
        self.captions = captions
        shown = ShownList(list, cells: cells, onError: onError)
        super.init()
        view.dataSource = self
        if let loader {
            if loader.prefetches { view.prefetchDataSource = self }
            view.pull(toRefreshBy: loader)
        }
        view.reloadData()
    }

    /// The newest list. The view shows it, or will when the current batches are done.
    public var list: Source { shown.source }

    /// Shows another list, with animation. Rows of both lists keep their selection.
    public func show(_ list: Source) { shown.show(list, in: view) }

    /// The selected rows.
    ///
    /// Setting it selects exactly these rows. As in UIKit, no delegate method is called.
    public var selection: ListSelection<Source.Element.ID> {
        get { shown.selection(in: view) }
        set { shown.select(newValue, in: view) }
    }

    // These are in the class because an extension of a generic class cannot have `@objc` members.

    public func numberOfSections(in collectionView: UICollectionView) -> Int { shown.sections.count }

    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        shown.section(section)?.elements.count ?? 0
    }

    public func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        loader?.rowAppeared(at: ListPosition(indexPath), in: shown.source)
        return cells.render(shown.row(indexPath), in: (collectionView, indexPath))
    }

    public func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
        let section = shown.section(indexPath.section)
        let text: String? =
            switch kind {
            case UICollectionView.elementKindSectionHeader: section?.header
            case UICollectionView.elementKindSectionFooter: section?.footer
            default: nil
            }
        return captions(kind, text, (collectionView, indexPath))
    }

    public func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        shown.isMovable(indexPath)
    }

    public func collectionView(
        _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        shown.move(sourceIndexPath, to: destinationIndexPath, in: collectionView)
    }

    public func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
        loader?.prefetchRows(at: indexPaths.map(ListPosition.init), in: shown.source)
    }

    public func collectionView(_ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
    {
        loader?.cancelPrefetching(at: indexPaths.map(ListPosition.init), in: shown.source)
    }
}
#endif
