#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// Shows a list in a collection view, as ``ListTableDataSource`` does in a table. It holds its
/// closures as long as it lives.
///
/// A collection view has no text above and below all sections: ``ListHeader`` and ``ListFooter``
/// are left to the layout.
@MainActor
public final class ListCollectionDataSource<Source: ListSource & IdentifiedSections>:
    NSObject, UICollectionViewDataSource, UICollectionViewDataSourcePrefetching
where Source.Element: Identifiable & Equatable, Source.Element.ID: Sendable {
    public typealias Place = (view: UICollectionView, path: IndexPath)
    public typealias Cells = CellRegistry<Source.Element, Place, UICollectionViewCell>
    /// Gets a kind, such as `UICollectionView.elementKindSectionHeader`, and what the list says
    /// there.
    public typealias Captions = (_ kind: String, _ text: String?, _ place: Place) -> UICollectionReusableView

    private let shown: ShownList<Source>
    private let cells: Cells
    private let captions: Captions
    private let loader: ListLoader<Source.Element.ID>?
    private weak var view: UICollectionView?

    /// Becomes the data source of the view, which does not hold it.
    ///
    /// - Parameters:
    ///   - captions: headers and footers; asked only where the layout has any.
    ///   - loader: is told which rows appear and which are likely to. Sets the refresh control and
    ///     the prefetch data source of the view where it loads anything for them.
    ///   - onError: told of moves that failed, and of a batch that the view would not have
    ///     survived: it has been loaded anew.
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

    /// What is shown, or will be once the present batches are done.
    public var list: Source { shown.source }

    /// Shows another list. Rows that both lists have stay selected.
    public func show(_ list: Source) { shown.show(list, in: view) }

    /// The selected rows. Setting it selects these rows and no other, and calls no delegate, as in
    /// UIKit.
    public var selection: ListSelection<Source.Element.ID> {
        get { shown.selection(in: view) }
        set { shown.select(newValue, in: view) }
    }

    // In the class itself: an extension of a generic class can have no method of Objective-C.

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
