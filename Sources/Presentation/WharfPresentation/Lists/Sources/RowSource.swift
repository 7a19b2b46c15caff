public import WharfCore

/// Rows of one section, from any sequence of elements.
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

    /// Creates a source of the elements.
    ///
    /// - Complexity: O(*n*); O(1) for an array.
    @inlinable public init(_ elements: some Sequence<Element>) {
        self.init(elements: Array(elements), isKnown: true)
    }

    /// Creates a source of a snapshot's elements, even if they are stale.
    ///
    /// A snapshot without a value gives a source that is not known: it has neither rows nor a
    /// placeholder.
    @inlinable public init(_ snapshot: Snapshot<some Sequence<Element> & Sendable>) {
        self.init(elements: snapshot.value.map(Array.init) ?? [], isKnown: snapshot.value != nil)
    }

    @inlinable public var sectionCount: Int { 1 }

    @inlinable public func rowCount(inSection section: Int) -> Int { section == 0 ? elements.count : 0 }

    @inlinable public func row(at position: ListPosition) -> ListRow<Element>? {
        guard position.section == 0, elements.indices.contains(position.row) else { return nil }
        return .element(elements[position.row])
    }

    /// Returns 0 for the only section, and nil for any other index.
    public func sectionID(_ section: Int) -> ListID<Int>? { section == 0 ? .own(0) : nil }
}

extension RowSource: Equatable where Element: Equatable {}
