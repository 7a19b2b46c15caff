/// A list with a text below each section.
public struct SectionFootedList<Base: ListSource>: ListDecorator, SectionFooters {
    public let base: Base
    private let footers: [String?]

    /// Creates a list with section footers.
    ///
    /// - Parameter footer: returns the text for a section of the base. Called once for each, here.
    public init(_ base: Base, footer: (Int) -> String?) {
        self.base = base
        footers = (0..<base.sectionCount).map(footer)
    }

    public func footer(ofSection section: Int) -> String? {
        footers.indices.contains(section) ? footers[section] : nil
    }
}

extension ListSource where Self: IdentifiedSections {
    /// Adds a text below each section of elements. The outermost of several footers is shown.
    public func sectionFooters(_ footer: (SectionKey) -> String?) -> SectionFootedList<Self> {
        SectionFootedList(self) { section in
            if case .own(let key)? = sectionID(section) { footer(key) } else { nil }
        }
    }
}

extension ListSource where Self: IdentifiedSections & SectionFooters {
    /// Replaces the text below each section of elements by one derived from it.
    public func sectionFooters(_ footer: (SectionKey, _ before: String?) -> String?) -> SectionFootedList<Self> {
        SectionFootedList(self) { section in
            if case .own(let key)? = sectionID(section) { footer(key, self.footer(ofSection: section)) } else { nil }
        }
    }
}

extension SectionFootedList: IdentifiedSections where Base: IdentifiedSections {}
extension SectionFootedList: SectionHeaders where Base: SectionHeaders {}
extension SectionFootedList: ListHeader where Base: ListHeader {}
extension SectionFootedList: ListFooter where Base: ListFooter {}
extension SectionFootedList: EditableRows where Base: EditableRows {}
extension SectionFootedList: MovableRows where Base: MovableRows {}
