/// A source with rows that can be deleted.
///
/// A source is immutable: a deletion removes the element at its origin. The list without the
/// element is a new source.
public protocol EditableRows: Sendable {
    /// Returns whether a row can be deleted. False for notices and for rows that do not exist.
    func isEditable(at position: ListPosition) -> Bool

    /// Deletes the element of a row at its origin.
    ///
    /// - Throws: ``ListError`` with ``ListError/Code/notEditable`` if ``isEditable(at:)`` is false;
    ///   the error of the deletion.
    func delete(at position: ListPosition) async throws
}

/// A source with rows that can be moved.
///
/// It is immutable, like ``EditableRows``.
public protocol MovableRows: Sendable {
    /// Returns whether a row can be moved. False for notices and for rows that do not exist.
    func isMovable(at position: ListPosition) -> Bool

    /// Returns whether a row can move to a destination. A table offers only such destinations.
    ///
    /// - Parameter destination: the position of the row after it has left its old place, as
    ///   `UITableView` counts. It is a row of the list, or the place behind the last row of another
    ///   section.
    func canMove(from position: ListPosition, to destination: ListPosition) -> Bool

    /// Moves the element of a row at its origin.
    ///
    /// - Throws: ``ListError`` with ``ListError/Code/notMovable`` if ``isMovable(at:)`` is false,
    ///   and with ``ListError/Code/noDestination`` if ``canMove(from:to:)`` is false; the error of
    ///   the move.
    func move(from position: ListPosition, to destination: ListPosition) async throws
}
