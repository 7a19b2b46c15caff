/// A source that adds rows or texts to another, and keeps all roles of its base.
///
/// A decorator of your own maps sections or positions, and returns the sections or rows that it
/// adds. Every other requirement has a default that asks the base. The decorator takes over roles
/// by empty extensions. It needs one for each role that its bases have:
///
/// ```swift
/// struct Adverts<Base: ListSource>: ListDecorator { … }
/// extension Adverts: SectionHeaders where Base: SectionHeaders {}
/// extension Adverts: EditableRows where Base: EditableRows {}
/// ```
///
/// Laws (`ListDecoratorLaws`):
///
/// - A decorator adds rows and removes none.
/// - The rows of the base keep their order.
/// - Mapping a position to the base and back gives the same position.
/// - Each added row is a notice with an id of its own.
/// - A decorator that adds no row changes no position.
///
/// Give your notices a kind of your own, so that no id equals one of ``NoticedList``.
public protocol ListDecorator<Base>: ListSource where Element == Base.Element {
    /// The type of the decorated source.
    associatedtype Base: ListSource

    /// The decorated source.
    var base: Base { get }

    /// Returns the section here of a section of the base. The default is the same index.
    func section(ofBase section: Int) -> Int

    /// Returns the base's section of a section here; nil for an added section.
    ///
    /// The default is the same index.
    func baseSection(of section: Int) -> Int?

    /// Returns the position here of a row of the base.
    ///
    /// It also maps the place behind the last row of a section, as a destination of moves. The
    /// default is the same row in the section that ``section(ofBase:)`` returns.
    func position(ofBase position: ListPosition) -> ListPosition

    /// Returns the position in the base of a row here; nil for an added row.
    ///
    /// For a position outside of the list it returns nil, or a position outside of the base.
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
