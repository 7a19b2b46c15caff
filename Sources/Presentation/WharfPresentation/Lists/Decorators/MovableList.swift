/// A list whose elements can be moved.
public struct MovableList<Base: ListSource>: ListDecorator, MovableRows {
    /// Moves an element in the origin of the list.
    ///
    /// It gets the element and its position in the source below all decorators. The destination is
    /// its position after it has been removed from there.
    public typealias Move = @Sendable (Base.Element, _ from: ListPosition, _ to: ListPosition) async throws -> Void

    public let base: Base
    private let isMovable: @Sendable (Base.Element) -> Bool
    private let move: Move

    /// Creates a list whose elements can be moved if they meet the condition.
    public init(_ base: Base, where isMovable: @escaping @Sendable (Base.Element) -> Bool, move: @escaping Move) {
        self.base = base
        self.isMovable = isMovable
        self.move = move
    }

    public func isMovable(at position: ListPosition) -> Bool {
        base.element(at: position).map(isMovable) ?? false
    }

    /// Returns whether a row can move to a destination.
    ///
    /// It can take the place of another element, go behind the last element of another section, or
    /// into a section without rows.
    public func canMove(from position: ListPosition, to destination: ListPosition) -> Bool {
        guard isMovable(at: position) else { return false }
        if let row = base.row(at: destination) { return row.element != nil }
        guard destination.section != position.section, (0..<base.sectionCount).contains(destination.section),
            destination.row == base.rowCount(inSection: destination.section)
        else { return false }
        return destination.row == 0
            || base.element(at: ListPosition(section: destination.section, row: destination.row - 1)) != nil
    }

    public func move(from position: ListPosition, to destination: ListPosition) async throws {
        guard let element = base.element(at: position), isMovable(element),
            let from = base.sourcePosition(of: position)
        else { throw ListError.notMovable(position) }
        guard canMove(from: position, to: destination), let to = base.sourcePosition(of: destination) else {
            throw ListError.noDestination(destination)
        }
        try await move(element, from, to)
    }
}

extension ListSource {
    /// Makes elements movable. The outermost of several such decorators decides.
    ///
    /// - Parameter move: see ``MovableList/Move``.
    public func movable(
        where isMovable: @escaping @Sendable (Element) -> Bool = { _ in true }, move: @escaping MovableList<Self>.Move
    ) -> MovableList<Self> {
        MovableList(self, where: isMovable, move: move)
    }
}

extension MovableList: IdentifiedSections where Base: IdentifiedSections {}
extension MovableList: SectionHeaders where Base: SectionHeaders {}
extension MovableList: SectionFooters where Base: SectionFooters {}
extension MovableList: ListHeader where Base: ListHeader {}
extension MovableList: ListFooter where Base: ListFooter {}
extension MovableList: EditableRows where Base: EditableRows {}
