#if canImport(SwiftUI)
internal import Foundation
public import SwiftUI

/// A `List` of the rows of a source, with its headers and footers.
///
/// ```swift
/// ListRows(films(presenter.state), selection: $selection, loader: loader) { error in
///     presenter.failed(error)
/// } row: { row in
///     cells.render(row)
/// }
/// ```
///
/// A loader is told which rows appear, and makes the list `refreshable` if it can refresh. SwiftUI
/// does not say which rows are likely to appear next, so the rows beyond the appeared one are
/// prefetched.
///
/// If the source has ``EditableRows`` or ``MovableRows``, the user can delete and move rows. A row
/// moves within its section, because `onMove` belongs to one `ForEach`.
public struct ListRows<Source: ListSource & IdentifiedSections, Row: View>: View
where Source.Element: Identifiable, Source.Element.ID: Sendable {
    private let source: Source
    private let selection: Binding<ListSelection<Source.Element.ID>>?
    private let loader: ListLoader<Source.Element.ID>?
    private let onError: @MainActor (any Error) -> Void
    private let row: (ListRow<Source.Element>) -> Row

    /// Creates a list of the rows of a source.
    ///
    /// - Parameters:
    ///   - selection: the selected rows. Its ``ListSelection/allowsSeveral`` decides between one
    ///     and several.
    ///   - loader: loads more rows, prefetches and refreshes.
    ///   - onError: called with the error of a deletion or a move that failed.
    public init(
        _ source: Source, selection: Binding<ListSelection<Source.Element.ID>>? = nil,
        loader: ListLoader<Source.Element.ID>? = nil, onError: @escaping @MainActor (any Error) -> Void,
        @ViewBuilder row: @escaping (ListRow<Source.Element>) -> Row
    ) {
        self.source = source
        self.selection = selection
        self.loader = loader
        self.onError = onError
        self.row = row
    }

    public var body: some View {
        if let loader, loader.canRefresh {
            list.refreshable { await loader.refresh() }
        } else {
            list
        }
    }

    @ViewBuilder private var list: some View {
        if let selection, selection.wrappedValue.allowsSeveral {
            List(selection: selection.rowIDs) { content }
        } else if let selection {
            List(selection: selection.rowID) { content }
        } else {
            List { content }
        }
    }

    private var content: some View {
        Group {
            Caption(text: (source as? any ListHeader)?.listHeader)
            ForEach(RowItem.sections(of: source)) { section in
                Section {
                    ForEach(section.rows) { item in
                        row(item.row).deleteDisabled(!item.isEditable).moveDisabled(!item.isMovable)
                            .onAppear { appeared(item.position) }
                    }
                    .onDelete(perform: deletion(section.index))
                    .onMove(perform: move(section.index))
                } header: {
                    Caption(text: section.header)
                } footer: {
                    Caption(text: section.footer)
                }
            }
            Caption(text: (source as? any ListFooter)?.listFooter)
        }
    }

    private func appeared(_ position: ListPosition) {
        loader?.rowAppeared(at: position, in: source)
        loader?.prefetchRows(beyond: position, in: source)
    }

    private func deletion(_ section: Int) -> ((IndexSet) -> Void)? {
        guard let rows = source as? any EditableRows else { return nil }
        return { [onError] offsets in
            Task { @MainActor in
                // The source is a value: deleting one row does not shift the positions of the
                // others.
                for row in offsets {
                    do {
                        try await rows.delete(at: ListPosition(section: section, row: row))
                    } catch {
                        onError(error)
                    }
                }
            }
        }
    }

    private func move(_ section: Int) -> ((IndexSet, Int) -> Void)? {
        guard let rows = source as? any MovableRows else { return nil }
        return { [onError] offsets, destination in
            Task { @MainActor in
                do {
                    let (from, to) = try ListPosition.move(offsets, to: destination, inSection: section)
                    try await rows.move(from: from, to: to)
                } catch {
                    onError(error)
                }
            }
        }
    }
}

extension ListPosition {
    /// Returns the move that `onMove` reports, in positions of the list after the move.
    ///
    /// SwiftUI counts the destination while the row is still in its old place.
    static func move(
        _ offsets: IndexSet, to destination: Int, inSection section: Int
    ) throws(ListError) -> (from: ListPosition, to: ListPosition) {
        guard let row = offsets.first, offsets.count == 1 else {
            throw ListError(
                .notMovable, message: "\(offsets.count) rows can't be moved at once; move one row at a time")
        }
        let place = destination > row ? destination - 1 : destination
        return (ListPosition(section: section, row: row), ListPosition(section: section, row: place))
    }
}
#endif
