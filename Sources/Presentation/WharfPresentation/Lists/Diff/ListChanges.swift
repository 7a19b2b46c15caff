/// The changes from one list to another, in stages that a table can animate.
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
/// Sections and rows are matched by their ids. A row that is in another section than before is
/// moved there. An id can come more than once, as a contact's in "favourites" and in "all". Rows of
/// such an id are first matched within the same section, in order, and then the remaining ones.
///
/// The number of moved rows and sections is minimal: a longest increasing subsequence of old
/// positions keeps its place.
///
/// - Complexity: O(*n*) expected in the rows of both lists, and O(*m* log *m*) in the *m* rows that
///   both have, where their order has changed.
public struct ListChanges<ID: Hashable & Sendable, Element: Sendable>: Sendable {
    /// The batches, in order. Empty without changes, mostly one, at most six.
    public let stages: [ListStage<ID, Element>]

    /// Whether the two lists show the same.
    public var isEmpty: Bool { stages.isEmpty }

    /// Computes the changes between two lists.
    ///
    /// - Parameters:
    ///   - id: returns the identity of an element. It is called several times and has to be fast.
    ///   - isEqual: whether two elements of the same id look the same.
    ///   - keepsCell: whether one cell shows both elements, see
    ///     ``CellRegistry/keepsCell(from:to:)``. Called only for elements that are not equal. The
    ///     default is always true.
    @inlinable @inline(__always) public init<RowID: Hashable>(
        from old: [ListSection<ID, Element>], to new: [ListSection<ID, Element>], id: (Element) -> RowID,
        isEqual: (_ old: Element, _ new: Element) -> Bool,
        keepsCell: (_ old: Element, _ new: Element) -> Bool = { _, _ in true }
    ) {
        // Always inlined, like the loops below: a call of a closure copies the elements passed to
        // it.
        let sections = SectionDiff(from: old, to: new)
        let rows = RowDiff(from: old, to: new, sections: sections, id: id, isEqual: isEqual, keepsCell: keepsCell)
        stages = Staging(from: old, to: new, sections: sections, rows: rows).stages
    }
}

extension ListChanges where Element: Identifiable & Equatable {
    /// Computes the changes between two lists of identifiable elements.
    @inlinable public init(from old: [ListSection<ID, Element>], to new: [ListSection<ID, Element>]) {
        self.init(from: old, to: new, id: { $0.id }, isEqual: { $0 == $1 })
    }
}

extension ListChanges where ID == Int, Element: Identifiable & Equatable {
    /// Computes the changes of a list with one section, whose index is 0.
    @inlinable public init(fromRows old: [Element], toRows new: [Element]) {
        self.init(from: [ListSection(id: 0, elements: old)], to: [ListSection(id: 0, elements: new)])
    }
}

extension ListChanges: Equatable where Element: Equatable {}
