#if canImport(UIKit) && !os(watchOS)
internal import UIKit

/// A table or a collection view, behind the operations that showing a list needs.
@MainActor protocol BatchedView: AnyObject {
    /// The number of rows that the view itself reports, by section.
    var shownCounts: [Int] { get }
    /// Whether the view is in a window. Batch updates of a view in no window raise an exception.
    var isInWindow: Bool { get }

    /// The selected rows that the view itself reports.
    var selectedPaths: [IndexPath] { get }

    func setSelected(_ isSelected: Bool, at path: IndexPath)
    func reloadData()

    /// - Parameter change: switches the data source to the list after the stage.
    func perform<ID, Element>(_ stage: ListStage<ID, Element>, _ change: @escaping () -> Void)
}

extension ListPosition {
    init(_ path: IndexPath) { self.init(section: path.section, row: path.item) }

    var indexPath: IndexPath { IndexPath(item: row, section: section) }
}

extension UITableView: BatchedView {
    var shownCounts: [Int] { (0..<numberOfSections).map(numberOfRows) }
    var isInWindow: Bool { window != nil }
    var selectedPaths: [IndexPath] { indexPathsForSelectedRows ?? [] }

    func setSelected(_ isSelected: Bool, at path: IndexPath) {
        if isSelected {
            selectRow(at: path, animated: false, scrollPosition: .none)
        } else {
            deselectRow(at: path, animated: false)
        }
    }

    func perform<ID, Element>(_ stage: ListStage<ID, Element>, _ change: @escaping () -> Void) {
        performBatchUpdates { [self] in
            change()
            deleteSections(IndexSet(stage.deletedSections), with: .automatic)
            insertSections(IndexSet(stage.insertedSections), with: .automatic)
            for move in stage.movedSections { moveSection(move.from, toSection: move.to) }
            deleteRows(at: stage.deletedRows.map(\.indexPath), with: .automatic)
            insertRows(at: stage.insertedRows.map(\.indexPath), with: .automatic)
            for move in stage.movedRows { moveRow(at: move.from.indexPath, to: move.to.indexPath) }
            reconfigureRows(at: stage.changedRows.map(\.indexPath))
            reloadRows(at: stage.reloadedRows.map(\.indexPath), with: .automatic)
            reloadSections(IndexSet(stage.changedSections), with: .automatic)
        }
    }
}

extension UICollectionView: BatchedView {
    var shownCounts: [Int] { (0..<numberOfSections).map(numberOfItems) }
    var isInWindow: Bool { window != nil }
    var selectedPaths: [IndexPath] { indexPathsForSelectedItems ?? [] }

    func setSelected(_ isSelected: Bool, at path: IndexPath) {
        if isSelected {
            selectItem(at: path, animated: false, scrollPosition: [])
        } else {
            deselectItem(at: path, animated: false)
        }
    }

    func perform<ID, Element>(_ stage: ListStage<ID, Element>, _ change: @escaping () -> Void) {
        performBatchUpdates { [self] in
            change()
            deleteSections(IndexSet(stage.deletedSections))
            insertSections(IndexSet(stage.insertedSections))
            for move in stage.movedSections { moveSection(move.from, toSection: move.to) }
            deleteItems(at: stage.deletedRows.map(\.indexPath))
            insertItems(at: stage.insertedRows.map(\.indexPath))
            for move in stage.movedRows { moveItem(at: move.from.indexPath, to: move.to.indexPath) }
            reconfigureItems(at: stage.changedRows.map(\.indexPath))
            reloadItems(at: stage.reloadedRows.map(\.indexPath))
            reloadSections(IndexSet(stage.changedSections))
        }
    }
}
#endif
