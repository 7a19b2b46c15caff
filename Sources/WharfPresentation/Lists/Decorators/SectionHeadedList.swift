/// A list with a text above each section.
public struct SectionHeadedList<Base: ListSource>: ListDecorator, SectionHeaders {
    public let base: Base
    private let headers: [String?]

    /// - Parameter header: of a section of the base; asked for each here, and not again.
    public init(_ base: Base, header: (Int) -> String?) {
        self.base = base
        headers = (0..<base.sectionCount).map(header)
    }

    public func header(ofSection section: Int) -> String? {
        headers.indices.contains(section) ? headers[section] : nil
    }
}

extension ListSource where Self: IdentifiedSections {
    /// Says something above each section of elements; of several headers the outermost is the one.
    public func sectionHeaders(_ header: (SectionKey) -> String?) -> SectionHeadedList<Self> {
        SectionHeadedList(self) { section in
            if case .own(let key)? = sectionID(section) { header(key) } else { nil }
        }
    }
}

extension ListSource where Self: IdentifiedSections & SectionHeaders {
    /// Says something else above each section of elements, made of what stood there.
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
