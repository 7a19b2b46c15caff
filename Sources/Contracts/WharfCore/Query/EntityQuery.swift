internal import WharfPrimitives

/// A query for entities: condition, order and limit.
///
/// It is a value that runs in memory, in SQL, and at a service. Entities that are equal in all sort
/// fields are ordered by their ids, so a query has exactly one answer.
public struct EntityQuery<Model>: Hashable, Sendable {
    /// The query without its model.
    public var rows: RowQuery

    /// Creates a query for all entities, in the order of their ids.
    public init() { rows = RowQuery() }

    /// Creates a query from one without a model.
    public init(rows: RowQuery) { self.rows = rows }

    /// Returns the query with a further condition.
    public func filter(_ filter: Filter<Model>) -> Self {
        with { query in
            // Without the empty condition, so that equal queries have equal names.
            query.condition = query.condition == .always ? filter.condition : .all([query.condition, filter.condition])
        }
    }

    /// Returns the query with a further sort field.
    ///
    /// Null comes first, or last if `descending`. Fields that were added first count first.
    public func sorted(by field: Field<Model, some FieldRepresentable>, descending: Bool = false) -> Self {
        with { $0.sort.append(SortKey(field.name, descending: descending)) }
    }

    /// Returns the query with a limit.
    ///
    /// - Parameter count: the maximum number of entities. If it is not positive, there are none.
    public func limit(_ count: Int) -> Self { with { $0.limit = max(0, count) } }

    /// Returns the query with a parameter of the service, such as the `q` of a search.
    ///
    /// ```swift
    /// EntityQuery<Note>().parameter("q", "milk", matching: Note.text.hasWords("milk"))
    /// ```
    ///
    /// The service gets `?q=milk`. The store keeps a separate list for each value. A later value of
    /// the same name replaces an earlier one.
    ///
    /// A source with the default layout sends `filter`, `sort`, `limit` and `after` for the other
    /// parts of a query. Use one of these names for a parameter only if the query has no such part.
    ///
    /// - Parameters:
    ///   - value: the value, of which the `description` is sent: a text, a number, a `Bool`, a
    ///     `UUID`, a `WallTime`. nil removes the parameter.
    ///   - filter: the models that the service returns for the parameter. The store uses it to
    ///     answer the query. If it is nil, only the service knows them. A query over the store then
    ///     fails with ``ReadFailure/Code/unsupported``, and an added model is not in the list
    ///     before the service has it.
    public func parameter(
        _ name: String, _ value: (some CustomStringConvertible)?, matching filter: Filter<Model>? = nil
    ) -> Self {
        with { query in
            // A name occurs once: a service reads the first or the last of two.
            query.parameters.removeAll { $0.name == name }
            guard let value else { return }
            query.parameters.append(QueryParameter(name, value.description, matching: filter?.condition))
        }
    }

    /// Returns the query for the entities after a position, such as the end of a page.
    public func after(_ cursor: Cursor) -> Self { with { $0.after = cursor } }

    private func with(_ change: (inout RowQuery) -> Void) -> Self {
        var copy = self
        change(&copy.rows)
        return copy
    }
}

/// An ``EntityQuery`` without its model, for stores.
public struct RowQuery: Hashable, Sendable {
    /// The condition that entities match.
    public var condition: Condition
    /// The sort fields, the most significant first.
    public var sort: [SortKey]
    /// The maximum number of entities. If it is not positive, there are none.
    public var limit: Int?
    /// The position after which the answer starts.
    public var after: Cursor?
    /// The parameters for the service. A store ignores them and gets ``storeQuery``.
    public var parameters: [QueryParameter] = []

    /// Creates a query; without arguments for all entities.
    public init(_ condition: Condition = .always, sort: [SortKey] = [], limit: Int? = nil, after: Cursor? = nil) {
        self.condition = condition
        self.sort = sort
        self.limit = limit
        self.after = after
    }
}

extension RowQuery {
    /// Returns the text of a parameter; nil if the query does not have it.
    ///
    /// Use it for a service that has another name for the parameter:
    ///
    /// ```swift
    /// let source = RemoteSource<Note>.http(client, get: note) { query in
    ///     .get("search", query: ["text": query.rows.parameter("q") ?? ""])
    /// }
    /// ```
    public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Returns the value of a parameter; nil if there is none of this name and type.
    public func parameter<Value: LosslessStringConvertible>(_ name: String, as: Value.Type) -> Value? {
        parameter(name).flatMap(Value.init)
    }

    /// The query for a store, with conditions instead of parameters.
    ///
    /// It is nil if a parameter has no condition.
    public var storeQuery: RowQuery? {
        var query = self
        query.parameters = []
        for parameter in parameters {
            // Without a condition the store would return entities that the service leaves out.
            guard let condition = parameter.condition else { return nil }
            query.condition = query.condition == .always ? condition : .all([query.condition, condition])
        }
        return query
    }
}

/// A named parameter of a service's query.
///
/// ``EntityQuery/parameter(_:_:matching:)`` makes it.
public struct QueryParameter: Hashable, Sendable {
    /// The name in the query of the URL.
    public var name: String
    /// The value before it is percent-encoded.
    public var value: String
    /// The entities that the service returns for it; nil if only the service knows.
    public var condition: Condition?

    /// Creates a parameter with the condition by which a store answers it.
    public init(_ name: String, _ value: String, matching condition: Condition? = nil) {
        self.name = name
        self.value = value
        self.condition = condition
    }
}

/// A field that a query sorts by, with its direction.
public struct SortKey: Hashable, Sendable {
    /// The name of the field.
    public var field: String
    /// Whether the greatest value comes first.
    public var isDescending: Bool

    /// Creates a sort key.
    public init(_ field: String, descending: Bool = false) {
        self.field = field
        isDescending = descending
    }
}

/// A position in the order of a query: that of an entity, which may be gone.
public struct Cursor: Hashable, Sendable {
    /// The values of the sort fields, one per sort key.
    public let values: [FieldValue]
    /// The text of the entity's id.
    public let id: String

    /// Creates a position.
    public init(values: [FieldValue], id: String) {
        self.values = values
        self.id = id
    }
}

extension RowQuery {
    /// Returns the position of an entity in the order of this query.
    public func cursor(id: String, _ fields: [String: FieldValue]) -> Cursor {
        Cursor(values: sort.map { fields[$0.field, default: .null] }, id: id)
    }

    /// Returns whether one position is before another. Missing values of a cursor are null.
    public func precedes(_ a: Cursor, _ b: Cursor) -> Bool {
        for (index, key) in sort.enumerated() {
            // A cursor of an older app may have fewer values than the query has sort keys.
            let left = index < a.values.count ? a.values[index] : .null
            let right = index < b.values.count ? b.values[index] : .null
            if left != right { return (left < right) != key.isDescending }
        }
        // Ids decide between equal entities, so the order is total and a cursor has one place in
        // it.
        return UTF8Key(a.id) < UTF8Key(b.id)
    }

    /// Returns the elements that match, in order. For stores in memory.
    ///
    /// - Complexity: linear in the elements, and a sort of those that match.
    public func answer<Element>(
        _ elements: some Sequence<Element>, id: (Element) -> String, fields: (Element) -> [String: FieldValue]
    ) -> [Element] {
        if let limit, limit <= 0 { return [] }
        var found: [(place: Cursor, element: Element)] = []
        for element in elements {
            let values = fields(element)
            guard condition.matches(values) else { continue }
            let place = cursor(id: id(element), values)
            // Strictly after: the entity of the cursor was on the page before.
            if let after, !precedes(after, place) { continue }
            found.append((place, element))
        }
        // Sorted before the limit: the first rows in order are wanted, and not the first that
        // match.
        found.sort { precedes($0.place, $1.place) }
        return found.prefix(limit ?? found.count).map(\.element)
    }
}
