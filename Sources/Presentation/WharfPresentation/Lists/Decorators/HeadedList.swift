/// A list with a text above all sections.
public struct HeadedList<Base: ListSource>: ListDecorator, ListHeader {
    public let base: Base
    public let listHeader: String?

    /// Creates a list with a header; nil for none.
    public init(_ base: Base, header: String?) {
        self.base = base
        listHeader = header
    }
}

extension ListSource {
    /// Adds a text above all sections. The outermost of several headers is shown.
    ///
    /// - Parameter text: the header; nil removes the header of the base.
    public func header(_ text: String?) -> HeadedList<Self> { HeadedList(self, header: text) }
}

extension HeadedList: IdentifiedSections where Base: IdentifiedSections {}
extension HeadedList: SectionHeaders where Base: SectionHeaders {}
extension HeadedList: SectionFooters where Base: SectionFooters {}
extension HeadedList: ListFooter where Base: ListFooter {}
extension HeadedList: EditableRows where Base: EditableRows {}
extension HeadedList: MovableRows where Base: MovableRows {}
