/// A source some of whose rows can be deleted.
///
/// It stays as it is: what is deleted goes from where the rows come from, and the list that is
/// shown then is a new one.
public protocol EditableRows: Sendable {
    /// False for notices, and where there is no row.
    func isEditable(at position: ListPosition) -> Bool

    /// - Throws: ``ListError`` with ``ListError/Code/notEditable`` where ``isEditable(at:)`` is
    ///   false; whatever deleting throws.
    func delete(at position: ListPosition) async throws
}

/// A source some of whose rows can be moved.
///
/// It stays as it is, like ``EditableRows``.
public protocol MovableRows: Sendable {
    /// False for notices, and where there is no row.
    func isMovable(at position: ListPosition) -> Bool

    /// Whether the row can be moved there; a table that asks does not offer other places.
    ///
    /// - Parameter destination: where the row stands once it is gone from its place, as
    ///   `UITableView` counts: a row of the list, or behind the last one of another section.
    func canMove(from position: ListPosition, to destination: ListPosition) -> Bool

    /// - Throws: ``ListError`` with ``ListError/Code/notMovable`` where ``isMovable(at:)`` is
    ///   false, and with ``ListError/Code/noDestination`` where ``canMove(from:to:)`` is; whatever
    ///   moving throws.
    func move(from position: ListPosition, to destination: ListPosition) async throws
}
