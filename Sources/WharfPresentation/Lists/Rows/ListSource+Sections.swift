extension ListSource where Self: IdentifiedSections {
    /// The whole list as plain data, notices included: what is shown now, to be compared with what
    /// comes next, or to be shown by a view that takes data.
    ///
    /// - Complexity: O(*n*) in the rows.
    public func listSections() -> [ListSection<ListID<SectionKey>, ListRow<Element>>] {
        // Whether it has captions is for the whole list the same, and not known from its type
        // alone.
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
