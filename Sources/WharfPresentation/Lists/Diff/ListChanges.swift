/// What turns the list that is shown into another one, in stages that a table can animate.
///
/// ```swift
/// for stage in ListChanges(from: shown, to: sections).stages {
///     let counts = (0..<table.numberOfSections).map(table.numberOfRows(inSection:))
///     try stage.validate(shown: counts, source: stage.sections.map(\.elements.count))
///     table.performBatchUpdates {
///         shown = stage.sections  // from which the data source answers
///         table.deleteSections(IndexSet(stage.deletedSections), with: .automatic)
///         …
///     }
/// }
/// ```
///
/// Sections are the same by their ids, rows by theirs, wherever they stand: a row that is in
/// another section than before is moved there. Of ids that come more than once, as a contact's in
/// the section of favourites and in that of all, those in the same section belong together first,
/// each in their order; then those that are left over.
///
/// As few rows and sections are moved within their section, and within the list, as can be: what
/// keeps its place is a longest increasing subsequence of old positions.
///
/// - Complexity: O(*n*) expected in the rows of both lists, and O(*m* log *m*) in the *m* rows that
///   both have, where their order has changed.
public struct ListChanges<ID: Hashable & Sendable, Element: Sendable>: Sendable {
    /// The batches, one after the other. Empty if nothing has changed; mostly one, at most
    /// six.
    public let stages: [ListStage<ID, Element>]

    public var isEmpty: Bool { stages.isEmpty }

    /// - Parameters:
    ///   - id: says which row an element is. It is asked several times, and has to be quick.
    ///   - isEqual: whether two elements of the same id look the same.
    ///   - keepsCell: whether one cell shows both elements, see
    ///     ``CellRegistry/keepsCell(from:to:)``. Asked only for elements that are not equal.
    ///     Always, if not given.
    @inlinable @inline(__always) public init<RowID: Hashable>(
        from old: [ListSection<ID, Element>], to new: [ListSection<ID, Element>], id: (Element) -> RowID,
        isEqual: (_ old: Element, _ new: Element) -> Bool,
        keepsCell: (_ old: Element, _ new: Element) -> Bool = { _, _ in true }
    ) {
        // Always inlined, and so are the loops below: a closure that is called copies the elements
        // that it gets.
        let sections = SectionDiff(from: old, to: new)
        let rows = RowDiff(from: old, to: new, sections: sections, id: id, isEqual: isEqual, keepsCell: keepsCell)
        stages = Staging(from: old, to: new, sections: sections, rows: rows).stages
    }
}

extension ListChanges where Element: Identifiable & Equatable {
    @inlinable public init(from old: [ListSection<ID, Element>], to new: [ListSection<ID, Element>]) {
        self.init(from: old, to: new, id: { $0.id }, isEqual: { $0 == $1 })
    }
}

extension ListChanges where ID == Int, Element: Identifiable & Equatable {
    /// For a list of one section, whose index is 0.
    @inlinable public init(fromRows old: [Element], toRows new: [Element]) {
        self.init(from: [ListSection(id: 0, elements: old)], to: [ListSection(id: 0, elements: new)])
    }
}

extension ListChanges: Equatable where Element: Equatable {}
