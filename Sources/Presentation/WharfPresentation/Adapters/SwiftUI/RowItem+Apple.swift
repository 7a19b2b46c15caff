#if canImport(SwiftUI)
internal import SwiftUI

/// A row with its position and abilities, identified for `ForEach`.
struct RowItem<Element: Sendable & Identifiable>: Identifiable {
    struct Section<Key: Hashable>: Identifiable {
        let id: ListID<Key>
        let index: Int
        let header: String?
        let footer: String?
        let rows: [RowItem]
    }

    let row: ListRow<Element>
    let position: ListPosition
    let isEditable: Bool
    let isMovable: Bool

    var id: ListID<Element.ID> { row.id }

    static func sections<Source: ListSource<Element> & IdentifiedSections>(
        of source: Source
    ) -> [Section<Source.SectionKey>] {
        let editable = source as? any EditableRows
        let movable = source as? any MovableRows
        return source.listSections().enumerated().map { index, section in
            let rows = section.elements.enumerated().map { row, element in
                let position = ListPosition(section: index, row: row)
                return RowItem(
                    row: element, position: position, isEditable: editable?.isEditable(at: position) ?? false,
                    isMovable: movable?.isMovable(at: position) ?? false)
            }
            return Section(
                id: section.id, index: index, header: section.header, footer: section.footer, rows: rows)
        }
    }
}

/// A header or footer text, or no view if there is none.
struct Caption: View {
    let text: String?

    var body: some View {
        if let text { Text(text) }
    }
}
#endif
