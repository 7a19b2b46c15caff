// A source conforms to those of which it has something to say.

/// A source whose sections can be told apart when the list has changed.
///
/// Law: no two sections have the same id; outside of the list there is none.
public protocol IdentifiedSections<SectionKey>: Sendable {
    /// What makes the sections of elements, such as a decade.
    associatedtype SectionKey: Hashable & Sendable

    /// Nil where there is no such section.
    func sectionID(_ section: Int) -> ListID<SectionKey>?
}

/// A source with something to say above its sections.
public protocol SectionHeaders: Sendable {
    /// Nil where there is none, and where there is no such section.
    func header(ofSection section: Int) -> String?
}

/// A source with something to say below its sections.
public protocol SectionFooters: Sendable {
    /// Nil where there is none, and where there is no such section.
    func footer(ofSection section: Int) -> String?
}

/// A source with something to say above all sections.
public protocol ListHeader: Sendable {
    var listHeader: String? { get }
}

/// A source with something to say below all sections.
public protocol ListFooter: Sendable {
    var listFooter: String? { get }
}
