/// Which cell shows which row, so that no list switches over its rows.
///
/// ```swift
/// let cells = CellRegistry { FilmLine() } notices: { NoticeLine() }
///     .notices(of: .stale) { BannerLine() }
/// cells.render(row)
/// ```
///
/// Where elements are of several types, behind a protocol, a cell is registered for each. Where a
/// framework hands out cells to be used again, the `Context` is what it needs for that:
///
/// ```swift
/// CellRegistry { (place: (table: UITableView, path: IndexPath)) in
///     place.table.dequeueReusableCell(withIdentifier: "film", for: place.path) as! FilmCell
/// } notices: { … }
/// ```
///
/// It is a value that is made once, with a cell for each row that can come: none is without.
public struct CellRegistry<Element: Sendable, Context, Rendering> {
    private let element: (Element, Context) -> Rendering
    private let notice: (ListNotice, Context) -> Rendering
    private var models: [ObjectIdentifier: (Element, Context) -> Rendering] = [:]
    private var kinds: [ListNotice.Kind: (ListNotice, Context) -> Rendering] = [:]

    /// - Parameters:
    ///   - elements: a cell for an element without one for its own type.
    ///   - notices: a cell for a notice without one for its own kind.
    public init<Cell: ListCell<Element, Rendering>, Notice: ListCell<ListNotice, Rendering>>(
        elements: @escaping (Context) -> Cell, notices: @escaping (Context) -> Notice
    ) {
        element = { elements($1).render($0) }
        notice = { notices($1).render($0) }
    }

    /// The same with another cell for the elements of a type, exactly that one.
    public func elements<Model, Cell: ListCell<Model, Rendering>>(
        of type: Model.Type = Model.self, _ cell: @escaping (Context) -> Cell
    ) -> Self {
        var registry = self
        registry.models[ObjectIdentifier(type)] = { [element] in
            guard let model = $0 as? Model else { return element($0, $1) }
            return cell($1).render(model)
        }
        return registry
    }

    /// The same with another cell for the notices of a kind.
    public func notices(
        of kind: ListNotice.Kind, _ cell: @escaping (Context) -> some ListCell<ListNotice, Rendering>
    ) -> Self {
        var registry = self
        registry.kinds[kind] = { cell($1).render($0) }
        return registry
    }

    /// The cell for a row, provided with its model, as it renders itself.
    public func render(_ row: ListRow<Element>, in context: Context) -> Rendering {
        switch row {
        case .element(let element): cell(for: element)(element, context)
        case .notice(let notice): (kinds[notice.kind] ?? self.notice)(notice, context)
        }
    }

    /// Whether the same registration has the cells of two rows, so that a cell that shows one can
    /// show the other.
    ///
    /// A changed row is reconfigured then, and reloaded otherwise.
    public func keepsCell(from old: ListRow<Element>, to new: ListRow<Element>) -> Bool {
        switch (old, new) {
        case (.element(let old), .element(let new)): registration(of: old) == registration(of: new)
        case (.notice(let old), .notice(let new)):
            old.kind == new.kind || kinds[old.kind] == nil && kinds[new.kind] == nil
        case (.element, .notice), (.notice, .element): false
        }
    }

    /// The type under which the element's cell is registered; nil for the cell of all other types.
    private func registration(of element: Element) -> ObjectIdentifier? {
        // A list of one type has nothing to look up.
        guard !models.isEmpty else { return nil }
        let type = ObjectIdentifier(type(of: element as Any))
        return models[type] == nil ? nil : type
    }

    private func cell(for element: Element) -> (Element, Context) -> Rendering {
        registration(of: element).flatMap { models[$0] } ?? self.element
    }
}

extension CellRegistry where Context == Void {
    /// The cell for a row, provided with its model, as it renders itself.
    public func render(_ row: ListRow<Element>) -> Rendering { render(row, in: ()) }
}
