// A source conforms to the protocols of the texts that it has.

/// A source whose sections keep an identity across changes.
///
/// Law: section ids are unique, and a section outside of the list has none.
public protocol IdentifiedSections<SectionKey>: Sendable {
    /// The value that elements are grouped by, such as a decade.
    associatedtype SectionKey: Hashable & Sendable

    /// Returns the id of a section; nil if it does not exist.
    func sectionID(_ section: Int) -> ListID<SectionKey>?
}

/// A source with a text above each section.
public protocol SectionHeaders: Sendable {
    /// Returns the header of a section; nil if it has none or does not exist.
    func header(ofSection section: Int) -> String?
}

/// A source with a text below each section.
public protocol SectionFooters: Sendable {
    /// Returns the footer of a section; nil if it has none or does not exist.
    func footer(ofSection section: Int) -> String?
}

/// A source with a text above all sections.
public protocol ListHeader: Sendable {
    /// The text above all sections; nil for none.
    var listHeader: String? { get }
}

/// A source with a text below all sections.
public protocol ListFooter: Sendable {
    /// The text below all sections; nil for none.
    var listFooter: String? { get }
}
