/// An element type whose row sources have section headers.
///
/// It specialises a generic source for one element type, without a subclass.
///
/// ```swift
/// extension Appliance: HeadedElement {
///     static func sectionHeader(of elements: [Appliance]) -> String? { elements.first?.room }
/// }
///
/// RowSource(appliances).header(ofSection: 0)      // "Kitchen"; a RowSource of another type has no such method
/// ```
///
/// It is a protocol of elements because a type conforms to a protocol only once. A program could
/// have only one `extension RowSource: SectionHeaders where Element == Appliance`, for one element
/// type.
public protocol HeadedElement {
    /// Returns the header of a section; nil for none.
    ///
    /// - Parameter elements: the elements of the section, in order.
    static func sectionHeader(of elements: [Self]) -> String?
}

extension RowSource: SectionHeaders where Element: HeadedElement {
    public func header(ofSection section: Int) -> String? {
        section == 0 ? Element.sectionHeader(of: elements) : nil
    }

    /// Groups the rows into sections, each with its header.
    public func sections<Key>(by key: (Element) -> Key) -> SectionedSource<Key, Element> {
        let sections = grouped(by: key).map { section in
            ListSection(id: section.id, header: Element.sectionHeader(of: section.elements), elements: section.elements)
        }
        return SectionedSource(sections: sections, isKnown: isKnown)
    }
}
