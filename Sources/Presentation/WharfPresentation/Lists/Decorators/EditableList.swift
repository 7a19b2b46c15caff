/// A list whose elements can be deleted.
public struct EditableList<Base: ListSource>: ListDecorator, EditableRows {
    public let base: Base
    private let isEditable: @Sendable (Base.Element) -> Bool
    private let delete: @Sendable (Base.Element) async throws -> Void

    /// Creates a list whose elements can be deleted if they meet the condition.
    public init(
        _ base: Base, where isEditable: @escaping @Sendable (Base.Element) -> Bool,
        delete: @escaping @Sendable (Base.Element) async throws -> Void
    ) {
        self.base = base
        self.isEditable = isEditable
        self.delete = delete
    }

    public func isEditable(at position: ListPosition) -> Bool {
        base.element(at: position).map(isEditable) ?? false
    }

    public func delete(at position: ListPosition) async throws {
        guard let element = base.element(at: position), isEditable(element) else {
            throw ListError.notEditable(position)
        }
        try await delete(element)
    }
}

extension ListSource {
    /// Makes elements deletable. The outermost of several such decorators decides.
    ///
    /// ```swift
    /// list.editable { film in try await films.delete(id: film.id, .optimistic) }
    /// ```
    public func editable(
        where isEditable: @escaping @Sendable (Element) -> Bool = { _ in true },
        delete: @escaping @Sendable (Element) async throws -> Void
    ) -> EditableList<Self> {
        EditableList(self, where: isEditable, delete: delete)
    }
}

extension EditableList: IdentifiedSections where Base: IdentifiedSections {}
extension EditableList: SectionHeaders where Base: SectionHeaders {}
extension EditableList: SectionFooters where Base: SectionFooters {}
extension EditableList: ListHeader where Base: ListHeader {}
extension EditableList: ListFooter where Base: ListFooter {}
extension EditableList: MovableRows where Base: MovableRows {}
