/// One batch of changes, as `UITableView.performBatchUpdates(_:completion:)` takes it.
///
/// Deletions, and where a move comes from, are positions in the list before the batch; insertions,
/// and where a move goes, are positions in the list after it. The table handles deletions first, in
/// whatever order it is told: Apple's Table View Programming Guide for iOS, "Ordering of Operations
/// and Index Paths". What is in a section that is deleted or inserted goes and comes with it, and
/// is not named.
///
/// Only what Apple documents as going together is in one batch: rows and sections that are deleted
/// and inserted (the same guide), moves of rows with deletions and insertions of rows
/// (`moveRow(at:to:)`), moves of sections with deletions and insertions of sections
/// (`moveSection(_:toSection:)`). Other combinations raise or are shown wrongly: a row can't move
/// into a section that the same batch inserts ("cannot move a row into a newly inserted section"),
/// a row that is reloaded in a section that moves is counted wrongly (rdar://27041784), one that is
/// reloaded and pushed aside by a move raises ("attempt to create two animations for cell").
public struct ListStage<ID: Hashable & Sendable, Element: Sendable>: Sendable {
    /// What the table's data source has to answer from when the batch is performed, and until the
    /// next one.
    public var sections: [ListSection<ID, Element>]
    public var deletedSections: [Int]
    public var insertedSections: [Int]
    public var movedSections: [ListMove<Int>]
    public var deletedRows: [ListPosition]
    public var insertedRows: [ListPosition]
    public var movedRows: [ListMove<ListPosition>]
    /// Rows of the same id and cell, and of another content: `reconfigureRows(at:)`, which keeps
    /// the cell and the focus of a field in it. Nothing is deleted, inserted or moved in this
    /// stage.
    public var changedRows: [ListPosition]
    /// Rows of the same id that another cell shows: `reloadRows(at:)`. Reconfiguring them would
    /// raise, because the data source would return another cell than the one on the screen. Nothing
    /// else is in this stage.
    public var reloadedRows: [ListPosition]
    /// Sections whose header or footer is another one. Nothing else is in this stage, so that they
    /// can be reloaded as a whole by who does not reach their views.
    public var changedSections: [Int]

    /// - Parameter sections: the list after the batch.
    @inlinable public init(
        sections: [ListSection<ID, Element>], deletedSections: [Int] = [], insertedSections: [Int] = [],
        movedSections: [ListMove<Int>] = [], deletedRows: [ListPosition] = [], insertedRows: [ListPosition] = [],
        movedRows: [ListMove<ListPosition>] = [], changedRows: [ListPosition] = [], reloadedRows: [ListPosition] = [],
        changedSections: [Int] = []
    ) {
        self.sections = sections
        self.deletedSections = deletedSections
        self.insertedSections = insertedSections
        self.movedSections = movedSections
        self.deletedRows = deletedRows
        self.insertedRows = insertedRows
        self.movedRows = movedRows
        self.changedRows = changedRows
        self.reloadedRows = reloadedRows
        self.changedSections = changedSections
    }
}

extension ListStage: Equatable where Element: Equatable {}
