/// The rows of a list: their counts, and the content of each.
///
/// This is all that a list needs. Each further ability is a separate role. A source conforms to the
/// roles that it supports: ``IdentifiedSections``, ``SectionHeaders``, ``SectionFooters``,
/// ``ListHeader``, ``ListFooter``, ``EditableRows``, ``MovableRows``.
///
/// ```swift
/// let list = RowSource(snapshot)                                       // a Snapshot<[Film]>, or any sequence of films
///     .sections { $0.decade }
///     .sectionHeaders { "\($0)s" }
///     .header("Films")
///     .placeholder("No films yet")
///     .loading(snapshot.fetch) { _ in "Loading …" }
///     .staleBanner(of: snapshot, at: clock.now()) { stale in stale.error.map { "Not refreshed: \($0.message)" } }
/// ```
///
/// A source is an immutable value. For newer data make another source, decorate it by the same
/// function, and show the difference of their ``ListSource/listSections()``.
///
/// Every position is a valid argument, because a table that lags by one update may ask for any.
/// Only operations that change data throw, see ``ListError``.
///
/// Every conformer keeps these laws, and `WharfPresentationLaws` checks them (`ListSourceLaws`,
/// `ListDecoratorLaws`):
/// - There is a row at each position below the counts, and none at any other.
/// - A source that does not know its rows has no elements.
public protocol ListSource<Element>: Sendable {
    /// The model that a cell gets.
    associatedtype Element: Sendable

    /// The number of sections.
    var sectionCount: Int { get }

    /// Returns the number of rows; 0 for a section that does not exist.
    func rowCount(inSection section: Int) -> Int

    /// Returns the content of a row; nil if it does not exist.
    func row(at position: ListPosition) -> ListRow<Element>?

    /// Whether the rows are known. If not, an absence of rows does not mean an empty list.
    ///
    /// The default is true.
    var isKnown: Bool { get }

    /// Returns a row's position in the innermost source; nil for an added row.
    ///
    /// The default returns the same position.
    func sourcePosition(of position: ListPosition) -> ListPosition?

    /// Returns the position here of a row of the innermost source.
    ///
    /// The default returns the same position.
    func position(ofSource position: ListPosition) -> ListPosition
}

extension ListSource {
    @inlinable public var isKnown: Bool { true }
    @inlinable public func sourcePosition(of position: ListPosition) -> ListPosition? { position }
    @inlinable public func position(ofSource position: ListPosition) -> ListPosition { position }

    /// Returns the element of a row; nil for a notice or if there is no such row.
    @inlinable public func element(at position: ListPosition) -> Element? { row(at: position)?.element }

    /// Whether the list has a row that is not a notice.
    public var hasElements: Bool {
        (0..<sectionCount).contains { section in
            (0..<rowCount(inSection: section)).contains { element(at: ListPosition(section: section, row: $0)) != nil }
        }
    }
}
