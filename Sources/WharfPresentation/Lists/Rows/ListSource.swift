/// The rows of a list: how many there are, and what stands in each. All that a list needs; whatever
/// else a list can do is a role of its own, to which a source conforms when it can:
/// ``IdentifiedSections``, ``SectionHeaders``, ``SectionFooters``, ``ListHeader``, ``ListFooter``,
/// ``EditableRows``, ``MovableRows``.
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
/// A source is a value: what it says stays true. When there is something newer, make another one,
/// decorate it by the same function, and show the difference of their
/// ``ListSource/listSections()``.
///
/// No position is a mistake: whether there is a row is a question like any other, and a table that
/// is behind by one update may ask it. Only what would change something throws, see ``ListError``.
///
/// Every conformer keeps these laws; `WharfPresentationLaws` checks them (`ListSourceLaws`,
/// `ListDecoratorLaws`):
/// - There is a row at each position below the counts, and none at any other.
/// - A source that does not know its rows has no elements.
public protocol ListSource<Element>: Sendable {
    /// What a cell is provided with.
    associatedtype Element: Sendable

    var sectionCount: Int { get }

    /// 0 where there is no such section.
    func rowCount(inSection section: Int) -> Int

    /// Nil where there is no such row.
    func row(at position: ListPosition) -> ListRow<Element>?

    /// False until somebody knows which rows there are: a list of no rows is not an empty one then.
    /// True if not given.
    var isKnown: Bool { get }

    /// Where a row stands in the source below all decorators; nil for one which a decorator has
    /// added. A source need not give it.
    func sourcePosition(of position: ListPosition) -> ListPosition?

    /// Where a row of the source below all decorators stands. A source need not give it.
    func position(ofSource position: ListPosition) -> ListPosition
}

extension ListSource {
    @inlinable public var isKnown: Bool { true }
    @inlinable public func sourcePosition(of position: ListPosition) -> ListPosition? { position }
    @inlinable public func position(ofSource position: ListPosition) -> ListPosition { position }

    /// Nil where there is no such row, and where it is a notice.
    @inlinable public func element(at position: ListPosition) -> Element? { row(at: position)?.element }

    /// Whether there is a row that is not a notice.
    public var hasElements: Bool {
        (0..<sectionCount).contains { section in
            (0..<rowCount(inSection: section)).contains { element(at: ListPosition(section: section, row: $0)) != nil }
        }
    }
}
