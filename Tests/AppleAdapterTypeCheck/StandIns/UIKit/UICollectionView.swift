public import Foundation

/// uicollectionviewlayout: `@MainActor class UICollectionViewLayout`
@MainActor open class UICollectionViewLayout: NSObject {}

/// uicollectionview: `@MainActor class UICollectionView`
@MainActor open class UICollectionView: UIScrollView {
    /// uicollectionview/init(frame:collectionviewlayout:)
    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) { super.init(frame: frame) }

    /// uicollectionview/datasource:
    /// `weak var dataSource: (any UICollectionViewDataSource)? { get set }`
    open weak var dataSource: (any UICollectionViewDataSource)?

    /// uicollectionview/prefetchdatasource
    open weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?

    /// uicollectionview/numberofsections: `var numberOfSections: Int { get }`
    open var numberOfSections: Int { 0 }
    /// uicollectionview/numberofitems(insection:)
    open func numberOfItems(inSection section: Int) -> Int { 0 }

    /// uicollectionview/scrollposition: `struct ScrollPosition : OptionSet`
    public struct ScrollPosition: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// uicollectionview/indexpathsforselecteditems:
    /// `var indexPathsForSelectedItems: [IndexPath]? { get }`
    open var indexPathsForSelectedItems: [IndexPath]? { nil }
    /// uicollectionview/selectitem(at:animated:scrollposition:)
    open func selectItem(
        at indexPath: IndexPath?, animated: Bool, scrollPosition: UICollectionView.ScrollPosition
    ) {}
    /// uicollectionview/deselectitem(at:animated:)
    open func deselectItem(at indexPath: IndexPath, animated: Bool) {}

    /// uicollectionview/reloaddata()
    open func reloadData() {}
    /// uicollectionview/performbatchupdates(_:completion:)
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}

    /// uicollectionview/insertsections(_:)
    open func insertSections(_ sections: IndexSet) {}
    /// uicollectionview/deletesections(_:)
    open func deleteSections(_ sections: IndexSet) {}
    /// uicollectionview/reloadsections(_:)
    open func reloadSections(_ sections: IndexSet) {}
    /// uicollectionview/movesection(_:tosection:)
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    /// uicollectionview/insertitems(at:)
    open func insertItems(at indexPaths: [IndexPath]) {}
    /// uicollectionview/deleteitems(at:)
    open func deleteItems(at indexPaths: [IndexPath]) {}
    /// uicollectionview/reloaditems(at:)
    open func reloadItems(at indexPaths: [IndexPath]) {}
    /// uicollectionview/reconfigureitems(at:)
    open func reconfigureItems(at indexPaths: [IndexPath]) {}
    /// uicollectionview/moveitem(at:to:)
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
}

/// uicollectionreusableview: `@MainActor class UICollectionReusableView`
@MainActor open class UICollectionReusableView: UIView {}

/// uicollectionviewcell: `@MainActor class UICollectionViewCell`
@MainActor open class UICollectionViewCell: UICollectionReusableView {}

/// uicollectionviewdatasource: `@MainActor protocol UICollectionViewDataSource : NSObjectProtocol`
///
/// UIKit's optional requirements have a default here.
@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
    /// uicollectionviewdatasource/collectionview(_:numberofitemsinsection:)
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    /// uicollectionviewdatasource/collectionview(_:cellforitemat:)
    func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell
    /// uicollectionviewdatasource/numberofsections(in:), optional
    func numberOfSections(in collectionView: UICollectionView) -> Int
    /// uicollectionviewdatasource/collectionview(_:viewforsupplementaryelementofkind:at:), optional
    func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView
    /// uicollectionviewdatasource/collectionview(_:canmoveitemat:), optional
    func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool
    /// uicollectionviewdatasource/collectionview(_:moveitemat:to:), optional
    func collectionView(
        _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath)
}

/// uicollectionviewdatasourceprefetching
@MainActor public protocol UICollectionViewDataSourcePrefetching: NSObjectProtocol {
    /// uicollectionviewdatasourceprefetching/collectionview(_:prefetchitemsat:)
    func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
    /// uicollectionviewdatasourceprefetching/collectionview(_:cancelprefetchingforitemsat:),
    /// optional
    func collectionView(_ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension UICollectionViewDataSource {
    public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
    public func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView { UICollectionReusableView(frame: .zero) }
    public func collectionView(_ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath) -> Bool { false }
    public func collectionView(
        _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {}
}

extension UICollectionView {
    /// uicollectionview/elementkindsectionheader:
    /// `nonisolated class let elementKindSectionHeader: String`
    public nonisolated static var elementKindSectionHeader: String { "UICollectionElementKindSectionHeader" }
    /// uicollectionview/elementkindsectionfooter:
    /// `nonisolated class let elementKindSectionFooter: String`
    public nonisolated static var elementKindSectionFooter: String { "UICollectionElementKindSectionFooter" }
}
