/// A source that adds something to another one, and can do whatever that one can.
///
/// One of your own says which sections or rows it adds, by the mapping of sections or of positions,
/// and gives those; all else has a default that asks the base. It takes over the roles of its base
/// by empty extensions, of which it needs those that its bases have:
///
/// ```swift
/// struct Adverts<Base: ListSource>: ListDecorator { … }
/// extension Adverts: SectionHeaders where Base: SectionHeaders {}
/// extension Adverts: EditableRows where Base: EditableRows {}
/// ```
///
/// Laws (`ListDecoratorLaws`): it adds rows and takes none away; the rows of the base keep their
/// order; there and back again is the same position; what it adds is a notice, each with an id of
/// its own. One that adds no row changes no position.
///
/// Give your notices a kind of your own, so that their ids are none of ``NoticedList``.
public protocol ListDecorator<Base>: ListSource where Element == Base.Element {
    associatedtype Base: ListSource

    var base: Base { get }

    /// Where a section of the base is. The same if not given.
    func section(ofBase section: Int) -> Int

    /// Nil for a section which this one adds. The same if not given.
    func baseSection(of section: Int) -> Int?

    /// Where a row of the base is, or the place behind the last row of a section: there a row can
    /// be moved to. In the section that ``section(ofBase:)`` says, and the same row of it, if not
    /// given.
    func position(ofBase position: ListPosition) -> ListPosition

    /// Nil for a row which this one adds. For a position outside of the list nil, or one outside of
    /// the base.
    func basePosition(of position: ListPosition) -> ListPosition?
}

extension ListDecorator {
    @inlinable public func section(ofBase section: Int) -> Int { section }
    @inlinable public func baseSection(of section: Int) -> Int? { section }

    @inlinable public func position(ofBase position: ListPosition) -> ListPosition {
        var position = position
        position.section = section(ofBase: position.section)
        return position
    }

    @inlinable public func basePosition(of position: ListPosition) -> ListPosition? {
        guard let section = baseSection(of: position.section) else { return nil }
        var position = position
        position.section = section
        return position
    }

    @inlinable public var sectionCount: Int { base.sectionCount }

    @inlinable public func rowCount(inSection section: Int) -> Int {
        guard let section = baseSection(of: section) else { return 0 }
        return base.rowCount(inSection: section)
    }

    @inlinable public func row(at position: ListPosition) -> ListRow<Element>? {
        guard let position = basePosition(of: position) else { return nil }
        return base.row(at: position)
    }

    @inlinable public var isKnown: Bool { base.isKnown }

    @inlinable public func sourcePosition(of position: ListPosition) -> ListPosition? {
        guard let position = basePosition(of: position) else { return nil }
        return base.sourcePosition(of: position)
    }

    @inlinable public func position(ofSource position: ListPosition) -> ListPosition {
        self.position(ofBase: base.position(ofSource: position))
    }
}
