/// A list with a text below all sections.
public struct FootedList<Base: ListSource>: ListDecorator, ListFooter {
    public let base: Base
    public let listFooter: String?

    /// Creates a list with a footer; nil for none.
    public init(_ base: Base, footer: String?) {
        self.base = base
        listFooter = footer
    }
}

extension ListSource {
    /// Adds a text below all sections. The outermost of several footers is shown.
    ///
    /// - Parameter text: the footer; nil removes the footer of the base.
    public func footer(_ text: String?) -> FootedList<Self> { FootedList(self, footer: text) }
}

extension FootedList: IdentifiedSections where Base: IdentifiedSections {}
extension FootedList: SectionHeaders where Base: SectionHeaders {}
extension FootedList: SectionFooters where Base: SectionFooters {}
extension FootedList: ListHeader where Base: ListHeader {}
extension FootedList: EditableRows where Base: EditableRows {}
extension FootedList: MovableRows where Base: MovableRows {}
