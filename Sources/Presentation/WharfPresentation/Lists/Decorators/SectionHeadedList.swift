/// A list with a text above each section.
public struct SectionHeadedList<Base: ListSource>: ListDecorator, SectionHeaders {
    public let base: Base
    private let headers: [String?]

    /// Creates a list with section headers.
    ///
    /// - Parameter header: returns the text for a section of the base. Called once for each, here.
    public init(_ base: Base, header: (Int) -> String?) {
        self.base = base
        headers = (0..<base.sectionCount).map(header)
    }

    public func header(ofSection section: Int) -> String? {
        headers.indices.contains(section) ? headers[section] : nil
    }
}

extension ListSource where Self: IdentifiedSections {
    /// Adds a text above each section of elements. The outermost of several headers is shown.
    public func sectionHeaders(_ header: (SectionKey) -> String?) -> SectionHeadedList<Self> {
        SectionHeadedList(self) { section in
            if case .own(let key)? = sectionID(section) { header(key) } else { nil }
        }
    }
}

extension ListSource where Self: IdentifiedSections & SectionHeaders {
    /// Replaces the text above each section of elements by one derived from it.
    public func sectionHeaders(_ header: (SectionKey, _ before: String?) -> String?) -> SectionHeadedList<Self> {
        SectionHeadedList(self) { section in
            if case .own(let key)? = sectionID(section) { header(key, self.header(ofSection: section)) } else { nil }
        }
    }
}

extension SectionHeadedList: IdentifiedSections where Base: IdentifiedSections {}
extension SectionHeadedList: SectionFooters where Base: SectionFooters {}
extension SectionHeadedList: ListHeader where Base: ListHeader {}
extension SectionHeadedList: ListFooter where Base: ListFooter {}
extension SectionHeadedList: EditableRows where Base: EditableRows {}
extension SectionHeadedList: MovableRows where Base: MovableRows {}
