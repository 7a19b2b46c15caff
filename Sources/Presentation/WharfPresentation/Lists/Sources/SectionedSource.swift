public import WharfCore

/// Rows in sections with their own headers and footers.
public struct SectionedSource<SectionKey: Hashable & Sendable, Element: Sendable>: ListSource {
    @usableFromInline let sections: [ListSection<SectionKey, Element>]
    public let isKnown: Bool

    init(sections: [ListSection<SectionKey, Element>], isKnown: Bool) {
        self.sections = sections
        self.isKnown = isKnown
    }

    /// Creates a source of sections.
    ///
    /// - Parameter sections: the sections, with unique ids.
    public init(_ sections: [ListSection<SectionKey, Element>]) {
        self.init(sections: sections, isKnown: true)
    }

    /// Creates a source of a snapshot's sections, even if they are stale.
    ///
    /// A snapshot without a value gives a source that is not known: it has neither sections nor a
    /// placeholder.
    public init(_ snapshot: Snapshot<[ListSection<SectionKey, Element>]>) {
        self.init(sections: snapshot.value ?? [], isKnown: snapshot.value != nil)
    }

    @inlinable public var sectionCount: Int { sections.count }

    @inlinable public func rowCount(inSection section: Int) -> Int {
        sections.indices.contains(section) ? sections[section].elements.count : 0
    }

    @inlinable public func row(at position: ListPosition) -> ListRow<Element>? {
        guard sections.indices.contains(position.section),
            sections[position.section].elements.indices.contains(position.row)
        else { return nil }
        return .element(sections[position.section].elements[position.row])
    }
}

extension SectionedSource: IdentifiedSections, SectionHeaders, SectionFooters {
    public func sectionID(_ section: Int) -> ListID<SectionKey>? {
        sections.indices.contains(section) ? .own(sections[section].id) : nil
    }

    public func header(ofSection section: Int) -> String? {
        sections.indices.contains(section) ? sections[section].header : nil
    }

    public func footer(ofSection section: Int) -> String? {
        sections.indices.contains(section) ? sections[section].footer : nil
    }
}

extension SectionedSource: Equatable where Element: Equatable {}

extension RowSource {
    /// Groups the rows into sections.
    ///
    /// Sections come in the order of their first elements. In a section the elements keep their
    /// order.
    ///
    /// - Complexity: O(*n*) expected.
    public func sections<Key>(by key: (Element) -> Key) -> SectionedSource<Key, Element> {
        SectionedSource(sections: grouped(by: key), isKnown: isKnown)
    }

    func grouped<Key>(by key: (Element) -> Key) -> [ListSection<Key, Element>] {
        var sections: [ListSection<Key, Element>] = []
        var places: [Key: Int] = [:]
        for element in elements {
            let key = key(element)
            if let place = places[key] {
                sections[place].elements.append(element)
            } else {
                places[key] = sections.count
                sections.append(ListSection(id: key, elements: [element]))
            }
        }
        return sections
    }
}
