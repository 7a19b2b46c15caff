/// The cells for the rows of a list, so that no list switches over its rows.
///
/// ```swift
/// let cells = CellRegistry { FilmLine() } notices: { NoticeLine() }
///     .notices(of: .stale) { BannerLine() }
/// cells.render(row)
/// ```
///
/// If elements are of several types behind a protocol, register a cell for each type. If the
/// framework recycles cells, the `Context` is the data that dequeueing needs:
///
/// ```swift
/// CellRegistry { (place: (table: UITableView, path: IndexPath)) in
///     place.table.dequeueReusableCell(withIdentifier: "film", for: place.path) as! FilmCell
/// } notices: { … }
/// ```
///
/// A registry is a value that is made once. It has a cell for every possible row.
public struct CellRegistry<Element: Sendable, Context, Rendering> {
    private let element: (Element, Context) -> Rendering
    private let notice: (ListNotice, Context) -> Rendering
    private var models: [ObjectIdentifier: (Element, Context) -> Rendering] = [:]
    private var kinds: [ListNotice.Kind: (ListNotice, Context) -> Rendering] = [:]

    /// Creates a registry with the cells for elements and notices.
    ///
    /// - Parameters:
    ///   - elements: makes the cell for elements whose type has no cell of its own.
    ///   - notices: makes the cell for notices whose kind has no cell of its own.
    public init<Cell: ListCell<Element, Rendering>, Notice: ListCell<ListNotice, Rendering>>(
        elements: @escaping (Context) -> Cell, notices: @escaping (Context) -> Notice
    ) {
        element = { elements($1).render($0) }
        notice = { notices($1).render($0) }
    }

    /// Returns a registry with another cell for elements of exactly this type.
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

    /// Returns a registry with another cell for notices of this kind.
    public func notices(
        of kind: ListNotice.Kind, _ cell: @escaping (Context) -> some ListCell<ListNotice, Rendering>
    ) -> Self {
        var registry = self
        registry.kinds[kind] = { cell($1).render($0) }
        return registry
    }

    /// Returns the cell for a row, after the cell has rendered the row's model.
    public func render(_ row: ListRow<Element>, in context: Context) -> Rendering {
        switch row {
        case .element(let element): cell(for: element)(element, context)
        case .notice(let notice): (kinds[notice.kind] ?? self.notice)(notice, context)
        }
    }

    /// Returns whether a cell that shows the old row can show the new one.
    ///
    /// It can if both rows have the same registration. The changed row is then reconfigured, and
    /// otherwise reloaded.
    public func keepsCell(from old: ListRow<Element>, to new: ListRow<Element>) -> Bool {
        switch (old, new) {
        case (.element(let old), .element(let new)): registration(of: old) == registration(of: new)
        case (.notice(let old), .notice(let new)):
            old.kind == new.kind || kinds[old.kind] == nil && kinds[new.kind] == nil
        case (.element, .notice), (.notice, .element): false
        }
    }

    /// The type that the element's cell is registered for; nil for the default cell.
    private func registration(of element: Element) -> ObjectIdentifier? {
        // Fast path: without registered types there is nothing to look up.
        guard !models.isEmpty else { return nil }
        let type = ObjectIdentifier(type(of: element as Any))
        return models[type] == nil ? nil : type
    }

    private func cell(for element: Element) -> (Element, Context) -> Rendering {
        registration(of: element).flatMap { models[$0] } ?? self.element
    }
}

extension CellRegistry where Context == Void {
    /// Returns the cell for a row, after the cell has rendered the row's model.
    public func render(_ row: ListRow<Element>) -> Rendering { render(row, in: ()) }
}
