/// Rows that belong together, with what stands above and below them.
///
/// - Parameters:
///   - ID: says which section this is when the list has changed; two lists are compared by it.
///   - Element: what a cell is provided with.
public struct ListSection<ID: Hashable & Sendable, Element: Sendable>: Sendable {
    public var id: ID
    public var header: String?
    public var footer: String?
    public var elements: [Element]

    @inlinable public init(id: ID, header: String? = nil, footer: String? = nil, elements: [Element]) {
        self.id = id
        self.header = header
        self.footer = footer
        self.elements = elements
    }
}

extension ListSection: Equatable where Element: Equatable {}
extension ListSection: Hashable where Element: Hashable {}
