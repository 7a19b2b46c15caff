/// What stands in one row of a list: a model, or something that a decorator has to say.
///
/// However many decorators there are, a row is one of these two: their types do not nest.
public enum ListRow<Element: Sendable>: Sendable {
    case element(Element)
    case notice(ListNotice)

    /// Nil for a notice.
    @inlinable public var element: Element? {
        if case .element(let element) = self { element } else { nil }
    }

    /// Nil for an element.
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

/// Says which row or which section this is when the list has changed.
public enum ListID<Own: Hashable>: Hashable {
    /// Of an element, or of a section of elements.
    case own(Own)
    /// Of a notice, or of the section in which it stands alone.
    case notice(ListNotice.ID)
}

extension ListID: Sendable where Own: Sendable {}
