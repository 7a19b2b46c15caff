// The witnesses of the roles of a base: a decorator conforms to a role by an empty extension.

extension ListDecorator where Base: IdentifiedSections {
    @inlinable public func sectionID(_ section: Int) -> ListID<Base.SectionKey>? {
        baseSection(of: section).flatMap { base.sectionID($0) }
    }
}

extension ListDecorator where Base: SectionHeaders {
    @inlinable public func header(ofSection section: Int) -> String? {
        baseSection(of: section).flatMap { base.header(ofSection: $0) }
    }
}

extension ListDecorator where Base: SectionFooters {
    @inlinable public func footer(ofSection section: Int) -> String? {
        baseSection(of: section).flatMap { base.footer(ofSection: $0) }
    }
}

extension ListDecorator where Base: ListHeader {
    @inlinable public var listHeader: String? { base.listHeader }
}

extension ListDecorator where Base: ListFooter {
    @inlinable public var listFooter: String? { base.listFooter }
}

extension ListDecorator where Base: EditableRows {
    @inlinable public func isEditable(at position: ListPosition) -> Bool {
        basePosition(of: position).map { base.isEditable(at: $0) } ?? false
    }

    @inlinable public func delete(at position: ListPosition) async throws {
        // Checked here, so that the error names the position in this list and not in the base.
        guard isEditable(at: position), let inner = basePosition(of: position) else {
            throw ListError.notEditable(position)
        }
        try await base.delete(at: inner)
    }
}

extension ListDecorator where Base: MovableRows {
    @inlinable public func isMovable(at position: ListPosition) -> Bool {
        basePosition(of: position).map { base.isMovable(at: $0) } ?? false
    }

    @inlinable public func canMove(from position: ListPosition, to destination: ListPosition) -> Bool {
        guard let from = basePosition(of: position), let to = basePosition(of: destination) else { return false }
        return base.canMove(from: from, to: to)
    }

    @inlinable public func move(from position: ListPosition, to destination: ListPosition) async throws {
        guard isMovable(at: position), let from = basePosition(of: position) else {
            throw ListError.notMovable(position)
        }
        guard canMove(from: position, to: destination), let to = basePosition(of: destination) else {
            throw ListError.noDestination(destination)
        }
        try await base.move(from: from, to: to)
    }
}
