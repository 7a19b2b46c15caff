public import WharfCore

/// Rows of one section, from anything that has elements.
///
/// ```swift
/// RowSource(films)                        // an array, a set, what a sequence gives
/// RowSource(films.listSnapshot())         // what a repository answers
/// ```
public struct RowSource<Element: Sendable>: ListSource, IdentifiedSections {
    @usableFromInline let elements: [Element]
    public let isKnown: Bool

    @usableFromInline init(elements: [Element], isKnown: Bool) {
        self.elements = elements
        self.isKnown = isKnown
    }

    /// - Complexity: O(*n*); O(1) for an array.
    @inlinable public init(_ elements: some Sequence<Element>) {
        self.init(elements: Array(elements), isKnown: true)
    }

    /// What a snapshot has, be it stale. One without a value is not known: it has no rows, and no
    /// placeholder either.
    @inlinable public init(_ snapshot: Snapshot<some Sequence<Element> & Sendable>) {
        self.init(elements: snapshot.value.map(Array.init) ?? [], isKnown: snapshot.value != nil)
    }

    @inlinable public var sectionCount: Int { 1 }

    @inlinable public func rowCount(inSection section: Int) -> Int { section == 0 ? elements.count : 0 }

    @inlinable public func row(at position: ListPosition) -> ListRow<Element>? {
        guard position.section == 0, elements.indices.contains(position.row) else { return nil }
        return .element(elements[position.row])
    }

    /// The only section is 0.
    public func sectionID(_ section: Int) -> ListID<Int>? { section == 0 ? .own(0) : nil }
}

extension RowSource: Equatable where Element: Equatable {}
