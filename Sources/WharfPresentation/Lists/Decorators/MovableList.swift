/// A list whose elements can be moved.
public struct MovableList<Base: ListSource>: ListDecorator, MovableRows {
    /// Gets the element, where it stands in the source below all decorators, and where it is to stand once it is gone from there.
    public typealias Move = @Sendable (Base.Element, _ from: ListPosition, _ to: ListPosition) async throws -> Void

    public let base: Base
    private let isMovable: @Sendable (Base.Element) -> Bool
    private let move: Move

    public init(_ base: Base, where isMovable: @escaping @Sendable (Base.Element) -> Bool, move: @escaping Move) {
        self.base = base
        self.isMovable = isMovable
        self.move = move
    }

    public func isMovable(at position: ListPosition) -> Bool {
        base.element(at: position).map(isMovable) ?? false
    }

    public func move(from position: ListPosition, to destination: ListPosition) async throws {
        guard let element = base.element(at: position), isMovable(element),
            let from = base.sourcePosition(of: position)
        else { throw ListError.notMovable(position) }
        guard isPlace(destination, from: position.section), let to = base.sourcePosition(of: destination) else {
            throw ListError.noDestination(destination)
        }
        try await move(element, from, to)
    }

    /// Whether an element can stand there: in the place of another one, or behind one that is the last of another section, or in a
    /// section without rows.
    private func isPlace(_ destination: ListPosition, from section: Int) -> Bool {
        if let row = base.row(at: destination) { return row.element != nil }
        guard destination.section != section, (0..<base.sectionCount).contains(destination.section),
            destination.row == base.rowCount(inSection: destination.section)
        else { return false }
        return destination.row == 0
            || base.element(at: ListPosition(section: destination.section, row: destination.row - 1)) != nil
    }
}

extension ListSource {
    /// Lets elements be moved; of several such decorators the outermost decides.
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
