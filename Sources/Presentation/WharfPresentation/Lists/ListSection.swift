/// A section of rows with an optional header and footer.
///
/// - Parameters:
///   - ID: identifies the section across changes; two lists are compared by it.
///   - Element: the model that a cell gets.
public struct ListSection<ID: Hashable & Sendable, Element: Sendable>: Sendable {
    /// The identity of the section across changes.
    public var id: ID
    /// The text above the rows; nil for none.
    public var header: String?
    /// The text below the rows; nil for none.
    public var footer: String?
    /// The rows, from top to bottom.
    public var elements: [Element]

    /// Creates a section.
    @inlinable public init(id: ID, header: String? = nil, footer: String? = nil, elements: [Element]) {
        self.id = id
        self.header = header
        self.footer = footer
        self.elements = elements
    }
}

extension ListSection: Equatable where Element: Equatable {}
extension ListSection: Hashable where Element: Hashable {}
