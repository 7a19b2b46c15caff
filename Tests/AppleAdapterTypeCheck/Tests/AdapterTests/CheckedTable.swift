import UIKit
import WharfPresentation

/// A table that counts rows as `UITableView` does. UIKit raises an exception if the rows after a
/// batch differ from those of the data source.
final class CheckedTable: UITableView {
    private struct Batch {
        var deletedSections = IndexSet()
        var insertedSections = IndexSet()
        var movedSections: [(from: Int, to: Int)] = []
        var deleted: [IndexPath] = []
        var inserted: [IndexPath] = []
        var reloaded: [IndexPath] = []
        var reconfigured: [IndexPath] = []
        var reloadedSections = IndexSet()
    }

    let ownWindow: UIWindow? = UIWindow(frame: .zero)
    var isInWindow = true
    /// The exceptions that UIKit would have raised.
    private(set) var exceptions: [String] = []
    private(set) var batches = 0
    private(set) var reloads = 0
    /// The rows that changed their content: those that got a new cell, and those that kept theirs.
    private(set) var (reloadedRows, reconfiguredRows) = (0, 0)
    /// The visible cells, as their texts.
    private(set) var cells: [[String]] = []
    /// The selected rows. A reload clears the selection, and a batch keeps it for the rows that
    /// stay.
    private(set) var selected: Set<IndexPath> = []
    private var hasLoaded = false
    private var batch: Batch?

    override var window: UIWindow? { isInWindow ? ownWindow : nil }

    override var numberOfSections: Int {
        load()
        return cells.count
    }

    override func numberOfRows(inSection section: Int) -> Int {
        load()
        return cells[section].count
    }

    /// Loads the rows on first use, as a table does.
    private func load() {
        if !hasLoaded { reloadData() }
    }

    override func reloadData() {
        hasLoaded = true
        selected = []
        reloads += 1
        cells = counts().enumerated().map { section, count in
            (0..<count).map { text(IndexPath(row: $0, section: section)) }
        }
    }

    override var indexPathsForSelectedRows: [IndexPath]? { selected.isEmpty ? nil : selected.sorted() }
    override func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: UITableView.ScrollPosition) {
        if let indexPath { selected.insert(indexPath) }
    }
    override func deselectRow(at indexPath: IndexPath, animated: Bool) { selected.remove(indexPath) }

    /// Removes a row without the data source's knowledge, as if other code had changed the table.
    func loseARow() { cells[0].removeLast() }

    override func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        load()
        batches += 1
        batch = Batch()
        updates?()
        if let batch { finish(batch) }
        batch = nil
        completion?(true)
    }

    private func finish(_ batch: Batch) {
        var rows: [[String]?] = cells.enumerated().map { section, row in
            let gone = Set(batch.deleted.filter { $0.section == section }.map(\.row))
            return row.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
        }
        let moved = batch.movedSections.map { ($0.to, rows[$0.from]) }
        for section in batch.deletedSections { rows[section] = nil }
        for move in batch.movedSections { rows[move.from] = nil }
        var after = rows.compactMap { $0 }
        for (place, section) in (batch.insertedSections.map { ($0, []) } + moved).sorted(by: { $0.0 < $1.0 }) {
            after.insert(section ?? [], at: min(place, after.count))
        }
        let counts = counts()
        for section in batch.insertedSections where section < after.count && section < counts.count {
            after[section] = (0..<counts[section]).map { text(IndexPath(row: $0, section: section)) }
        }
        for path in batch.inserted.sorted() where path.section < after.count && path.row <= after[path.section].count {
            after[path.section].insert(text(path), at: path.row)
        }
        if after.map(\.count) != counts { exceptions.append("\(after.map(\.count)) rows, the source has \(counts)") }
        reloadedRows += batch.reloaded.count
        reconfiguredRows += batch.reconfigured.count
        for path in batch.reloaded + batch.reconfigured { after[path.section][path.row] = text(path) }
        cells = after
    }

    private func counts() -> [Int] {
        guard let source = dataSource else { return [] }
        return (0..<source.numberOfSections(in: self)).map { source.tableView(self, numberOfRowsInSection: $0) }
    }

    private func text(_ path: IndexPath) -> String {
        (dataSource?.tableView(self, cellForRowAt: path) as? LineCell)?.text ?? "no cell"
    }

    override func deleteSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
        batch?.deletedSections = sections
    }
    override func insertSections(_ sections: IndexSet, with animation: UITableView.RowAnimation) {
        batch?.insertedSections = sections
    }
    override func moveSection(_ section: Int, toSection newSection: Int) {
        batch?.movedSections.append((section, newSection))
    }
    override func deleteRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
        batch?.deleted += indexPaths
    }
    override func insertRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
        batch?.inserted += indexPaths
    }
    override func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        batch?.deleted.append(indexPath)
        batch?.inserted.append(newIndexPath)
    }
    override func reloadRows(at indexPaths: [IndexPath], with animation: UITableView.RowAnimation) {
        batch?.reloaded += indexPaths
    }
    override func reconfigureRows(at indexPaths: [IndexPath]) {
        batch?.reconfigured += indexPaths
    }
}

/// A cell that renders a film as one line.
final class LineCell: UITableViewCell, @MainActor ListCell {
    private(set) var text = ""

    func render(_ film: Film) -> UITableViewCell {
        text = film.title
        return self
    }
}

/// A cell that renders the notice of a decorator.
final class NoticeCell: UITableViewCell, @MainActor ListCell {
    func render(_ notice: ListNotice) -> UITableViewCell {
        LineCell(frame: .zero).render(Film(id: 0, title: notice.text))
    }
}

struct Film: Identifiable, Hashable, Sendable {
    let id: Int
    var title: String
    var decade = 1990
}
