/// One batch of changes for `UITableView.performBatchUpdates(_:completion:)`.
///
/// Deletions and the origins of moves are positions in the list before the batch. Insertions and
/// the destinations of moves are positions in the list after it. The table handles deletions first,
/// in any order of the calls. Apple describes it in the Table View Programming Guide for iOS,
/// "Ordering of Operations and Index Paths". Rows in a deleted or inserted section are not named.
///
/// A batch holds only combinations that Apple documents:
///
/// - rows and sections that are deleted and inserted (the same guide)
/// - moves of rows with deletions and insertions of rows (`moveRow(at:to:)`)
/// - moves of sections with deletions and insertions of sections (`moveSection(_:toSection:)`)
///
/// Other combinations raise or are shown wrongly:
///
/// - A row that moves into a section inserted by the same batch raises: "cannot move a row into a
///   newly inserted section".
/// - A row reloaded in a section that moves is counted wrongly (rdar://27041784).
/// - A row that is reloaded and pushed aside by a move raises: "attempt to create two animations
///   for cell".
public struct ListStage<ID: Hashable & Sendable, Element: Sendable>: Sendable {
    /// The list that the data source answers from, from this batch to the next one.
    public var sections: [ListSection<ID, Element>]
    /// Indices of deleted sections, before the batch.
    public var deletedSections: [Int] = []
    /// Indices of inserted sections, after the batch.
    public var insertedSections: [Int] = []
    /// Moves of sections, within the list.
    public var movedSections: [ListMove<Int>] = []
    /// Positions of deleted rows, before the batch.
    public var deletedRows: [ListPosition] = []
    /// Positions of inserted rows, after the batch.
    public var insertedRows: [ListPosition] = []
    /// Moves of rows, within and between sections.
    public var movedRows: [ListMove<ListPosition>] = []
    /// Rows with the same id and cell, and new content: for `reconfigureRows(at:)`.
    ///
    /// Reconfiguring keeps the cell, and the focus of a field in it. A stage with changed rows
    /// deletes, inserts and moves nothing.
    public var changedRows: [ListPosition] = []
    /// Rows with the same id that another cell shows: for `reloadRows(at:)`.
    ///
    /// Reconfiguring them would raise, because the data source would return a cell other than the
    /// one on the screen. A stage with reloaded rows contains nothing else.
    public var reloadedRows: [ListPosition] = []
    /// Sections with a new header or footer.
    ///
    /// A stage with changed sections contains nothing else. So an app that cannot reach the header
    /// and footer views can reload these sections as a whole.
    public var changedSections: [Int] = []

    /// Creates a stage that changes nothing.
    ///
    /// - Parameter sections: the list after the batch.
    @inlinable public init(sections: [ListSection<ID, Element>]) { self.sections = sections }
}

extension ListStage: Equatable where Element: Equatable {}
