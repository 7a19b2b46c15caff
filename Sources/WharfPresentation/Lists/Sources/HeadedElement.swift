/// An element whose lists have section headers by themselves: a generic source specialised for a
/// type, without a subclass.
///
/// ```swift
/// extension Appliance: HeadedElement {
///     static func sectionHeader(of elements: [Appliance]) -> String? { elements.first?.room }
/// }
///
/// RowSource(appliances).header(ofSection: 0)      // "Kitchen"; a RowSource of another type has no such method
/// ```
///
/// It is a protocol for elements because a source conforms once: a program could have one
/// `extension RowSource: SectionHeaders where Element == Appliance`, for one type of element.
public protocol HeadedElement {
    /// - Parameter elements: those of the section, in their order.
    static func sectionHeader(of elements: [Self]) -> String?
}

extension RowSource: SectionHeaders where Element: HeadedElement {
    public func header(ofSection section: Int) -> String? {
        section == 0 ? Element.sectionHeader(of: elements) : nil
    }

    /// As for any other element, with the headers.
    public func sections<Key>(by key: (Element) -> Key) -> SectionedSource<Key, Element> {
        let sections = grouped(by: key).map { section in
            ListSection(id: section.id, header: Element.sectionHeader(of: section.elements), elements: section.elements)
        }
        return SectionedSource(sections: sections, isKnown: isKnown)
    }
}
