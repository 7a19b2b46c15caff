/// A list with a text above all sections.
public struct HeadedList<Base: ListSource>: ListDecorator, ListHeader {
    public let base: Base
    public let listHeader: String?

    public init(_ base: Base, header: String?) {
        self.base = base
        listHeader = header
    }
}

extension ListSource {
    /// Says something above all sections; of several headers the outermost is the one.
    ///
    /// - Parameter text: nil for none, also where there was one.
    public func header(_ text: String?) -> HeadedList<Self> { HeadedList(self, header: text) }
}

extension HeadedList: IdentifiedSections where Base: IdentifiedSections {}
extension HeadedList: SectionHeaders where Base: SectionHeaders {}
extension HeadedList: SectionFooters where Base: SectionFooters {}
extension HeadedList: ListFooter where Base: ListFooter {}
extension HeadedList: EditableRows where Base: EditableRows {}
extension HeadedList: MovableRows where Base: MovableRows {}
