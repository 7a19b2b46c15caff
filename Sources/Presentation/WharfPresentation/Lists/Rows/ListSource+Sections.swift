extension ListSource where Self: IdentifiedSections {
    /// Returns the whole list as data, notices included.
    ///
    /// Compare it with the sections of the next list, or give it to a view that takes data.
    ///
    /// - Complexity: O(*n*) in the rows.
    public func listSections() -> [ListSection<ListID<SectionKey>, ListRow<Element>>] {
        // Whether the source has captions is the same for all sections. Its static type does not
        // tell, so the casts are made once, here.
        let headers = self as? any SectionHeaders
        let footers = self as? any SectionFooters
        return (0..<sectionCount).compactMap { section in
            guard let id = sectionID(section) else { return nil }
            return ListSection(
                id: id, header: headers?.header(ofSection: section), footer: footers?.footer(ofSection: section),
                elements: (0..<rowCount(inSection: section)).compactMap {
                    row(at: ListPosition(section: section, row: $0))
                })
        }
    }
}
