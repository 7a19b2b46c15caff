public import Foundation

/// uitableview: `@MainActor class UITableView`
@MainActor open class UITableView: UIScrollView {
    /// uitableview/style-swift.enum
    public enum Style: Int, Sendable { case plain, grouped, insetGrouped }

    /// uitableview/rowanimation
    public enum RowAnimation: Int, Sendable { case fade, right, left, top, bottom, none, middle, automatic = 100 }

    /// uitableview/init(frame:style:)
    public init(frame: CGRect, style: UITableView.Style) { super.init(frame: frame) }

    /// uitableview/datasource: `weak var dataSource: (any UITableViewDataSource)? { get set }`
    open weak var dataSource: (any UITableViewDataSource)?

    /// uitableview/prefetchdatasource:
    /// `weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)? { get set }`
    open weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?

    /// uitableview/numberofsections: `var numberOfSections: Int { get }`
    open var numberOfSections: Int { 0 }
    /// uitableview/numberofrows(insection:)
    open func numberOfRows(inSection section: Int) -> Int { 0 }

    /// uitableview/scrollposition
    public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }

    /// uitableview/indexpathsforselectedrows: `var indexPathsForSelectedRows: [IndexPath]? { get }`
    open var indexPathsForSelectedRows: [IndexPath]? { nil }
    /// uitableview/selectrow(at:animated:scrollposition:)
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: UITableView.ScrollPosition) {}
    /// uitableview/deselectrow(at:animated:)
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {}

    /// uitableview/reloaddata()
    open func reloadData() {}
    /// uitableview/performbatchupdates(_:completion:)
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}

    /// uitableview/insertsections(_:with:)
    open func insertSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {}
    /// uitableview/deletesections(_:with:)
    open func deleteSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {}
    /// uitableview/reloadsections(_:with:)
    open func reloadSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {}
    /// uitableview/movesection(_:tosection:)
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    /// uitableview/insertrows(at:with:)
    open func insertRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {}
    /// uitableview/deleterows(at:with:)
    open func deleteRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {}
    /// uitableview/reloadrows(at:with:)
    open func reloadRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {}
    /// uitableview/reconfigurerows(at:)
    open func reconfigureRows(at indexPaths: [IndexPath]) {}
    /// uitableview/moverow(at:to:)
    open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
}

/// uitableviewcell: `@MainActor class UITableViewCell`
@MainActor open class UITableViewCell: UIView {
    /// uitableviewcell/editingstyle-swift.enum
    public enum EditingStyle: Int, Sendable { case none, delete, insert }
}

/// uitableviewdatasource: `@MainActor protocol UITableViewDataSource : NSObjectProtocol`
///
/// UIKit's optional requirements have a default here. It answers as a table does without the
/// method.
@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
    /// uitableviewdatasource/tableview(_:numberofrowsinsection:)
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    /// uitableviewdatasource/tableview(_:cellforrowat:)
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    /// uitableviewdatasource/numberofsections(in:), optional
    func numberOfSections(in tableView: UITableView) -> Int
    /// uitableviewdatasource/tableview(_:titleforheaderinsection:), optional
    func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
    /// uitableviewdatasource/tableview(_:titleforfooterinsection:), optional
    func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String?
    /// uitableviewdatasource/tableview(_:caneditrowat:), optional
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
    /// uitableviewdatasource/tableview(_:canmoverowat:), optional
    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
    /// uitableviewdatasource/tableview(_:commit:forrowat:), optional
    func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath)
    /// uitableviewdatasource/tableview(_:moverowat:to:), optional
    func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath)
}

/// uitableviewdatasourceprefetching:
/// `@MainActor protocol UITableViewDataSourcePrefetching : NSObjectProtocol`
@MainActor public protocol UITableViewDataSourcePrefetching: NSObjectProtocol {
    /// uitableviewdatasourceprefetching/tableview(_:prefetchrowsat:)
    func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])
    /// uitableviewdatasourceprefetching/tableview(_:cancelprefetchingforrowsat:), optional
    func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath])
}

extension UITableViewDataSource {
    public func numberOfSections(in tableView: UITableView) -> Int { 1 }
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
    public func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? { nil }
    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { true }
    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
    public func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
    ) {}
    public func tableView(
        _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath, to destinationIndexPath: IndexPath
    ) {}
}
