/// The selected rows of a list, by the ids of their elements.
///
/// ```swift
/// var selection = ListSelection<Film.ID>()                    // in the state of a presenter, or @State
/// ListRows(films, selection: $selection) { … } row: { … }     // SwiftUI
/// dataSource.selection                                        // UIKit: of `ListTableDataSource`
/// ```
///
/// Selection is by id, so it survives moves, changes and insertions of rows. Notices cannot be
/// selected.
public struct ListSelection<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The ids of the selected elements.
    public var ids: Set<ID>
    /// Whether a SwiftUI list allows the selection of several rows. In UIKit the view decides.
    public var allowsSeveral: Bool

    /// Creates a selection.
    public init(_ ids: Set<ID> = [], allowsSeveral: Bool = false) {
        self.ids = ids
        self.allowsSeveral = allowsSeveral
    }

    /// Returns whether the row with this id is selected.
    public func contains(_ id: ID) -> Bool { ids.contains(id) }

    /// Deselects rows that the list no longer has.
    ///
    /// A list that does not know its rows, such as one of a snapshot without a value, deselects
    /// none.
    ///
    /// - Complexity: O(*n*) in the rows.
    public mutating func keep<Element: Identifiable<ID>>(in list: some ListSource<Element> & IdentifiedSections) {
        // A failed first read has no rows. Without this check it would clear the selection.
        guard list.isKnown, !ids.isEmpty else { return }
        ids.formIntersection(list.listSections().lazy.flatMap(\.elements).compactMap { $0.element?.id })
    }

    /// Returns the positions of the selected rows, in the order of the list.
    ///
    /// - Complexity: O(*n*) in the rows; O(1) without a selection.
    public func positions<Element: Identifiable<ID>>(
        in list: some ListSource<Element> & IdentifiedSections
    ) -> [ListPosition] {
        positions(in: list.listSections)
    }

    func positions<SectionID, Element: Identifiable<ID>>(
        in sections: () -> [ListSection<SectionID, ListRow<Element>>]
    ) -> [ListPosition] {
        guard !ids.isEmpty else { return [] }
        return sections().enumerated().flatMap { section, shown in
            shown.elements.enumerated().compactMap { row, element in
                element.element.map { ids.contains($0.id) } == true ? ListPosition(section: section, row: row) : nil
            }
        }
    }
}

// SwiftUI's `List` selects by the ids of rows.
extension ListSelection {
    /// The selection as row ids. Setting it drops notices.
    var rowIDs: Set<ListID<ID>> {
        get { Set(ids.map(ListID.own)) }
        set { ids = Set(newValue.compactMap(\.own)) }
    }

    /// The selected row, for a list with single selection.
    var rowID: ListID<ID>? {
        get { ids.first.map(ListID.own) }
        set { ids = Set([newValue?.own].compactMap { $0 }) }
    }
}

extension ListID {
    /// The id of an element; nil for a notice.
    var own: Own? { if case .own(let id) = self { id } else { nil } }
}
