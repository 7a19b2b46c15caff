#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// Shows a list in a collection view, as ``ListTableDataSource`` does in a table. It holds its closures as long as it lives.
///
/// A collection view has no text above and below all sections: ``ListHeader`` and ``ListFooter`` are left to the layout.
@MainActor
public final class ListCollectionDataSource<Source: ListSource & IdentifiedSections>:
    NSObject, UICollectionViewDataSource
where Source.Element: Identifiable & Equatable {
    public typealias Place = (view: UICollectionView, path: IndexPath)
    public typealias Cells = CellRegistry<Source.Element, Place, UICollectionViewCell>
    /// Gets a kind, such as `UICollectionView.elementKindSectionHeader`, and what the list says there.
    public typealias Captions = (_ kind: String, _ text: String?, _ place: Place) -> UICollectionReusableView

    private let shown: ShownList<Source>
    private let cells: Cells
    private let captions: Captions
    private weak var view: UICollectionView?

    /// Becomes the data source of the view, which does not hold it.
    ///
    /// - Parameters:
    ///   - captions: headers and footers; asked only where the layout has any.
    ///   - onError: told of moves that failed, and of a batch that the view would not have survived: it has been loaded anew.
    public init(
        _ view: UICollectionView, list: Source, cells: Cells, captions: @escaping Captions,
        onError: @escaping @MainActor (any Error) -> Void
    ) {
        self.view = view
        self.cells = cells
        self.captions = captions
        shown = ShownList(list, cells: cells, onError: onError)
        super.init()
        view.dataSource = self
        view.reloadData()
    }

    /// What is shown, or will be once the present batches are done.
    public var list: Source { shown.source }

    public func show(_ list: Source) { shown.show(list, in: view) }

    // In the class itself: an extension of a generic class can have no method of Objective-C.

    public func numberOfSections(in collectionView: UICollectionView) -> Int { shown.sections.count }

    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        shown.section(section)?.elements.count ?? 0
    }

    public func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        cells.render(shown.row(indexPath), in: (collectionView, indexPath))
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
}
#endif
