/// The content of one row: an element, or a notice from a decorator.
///
/// Decorators do not nest row types: a row has one of these two cases with any number of them.
public enum ListRow<Element: Sendable>: Sendable {
    /// A model from the source.
    case element(Element)
    /// A row that a decorator has added.
    case notice(ListNotice)

    /// The element; nil for a notice.
    @inlinable public var element: Element? {
        if case .element(let element) = self { element } else { nil }
    }

    /// The notice; nil for an element.
    @inlinable public var notice: ListNotice? {
        if case .notice(let notice) = self { notice } else { nil }
    }
}

extension ListRow: Equatable where Element: Equatable {}
extension ListRow: Hashable where Element: Hashable {}

extension ListRow: Identifiable where Element: Identifiable {
    public var id: ListID<Element.ID> {
        switch self {
        case .element(let element): .own(element.id)
        case .notice(let notice): .notice(notice.id)
        }
    }
}

/// The identity of a row or of a section across changes.
public enum ListID<Own: Hashable>: Hashable {
    /// The id of an element, or of a section of elements.
    case own(Own)
    /// The id of a notice, or of its section.
    case notice(ListNotice.ID)
}

extension ListID: Sendable where Own: Sendable {}
