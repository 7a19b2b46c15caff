internal import WharfPrimitives

/// Which entities, in which order, and how many: a plain value that runs in memory, in SQL, and at
/// a service.
///
/// Entities that are alike in all fields that they are sorted by come in the order of their ids, so
/// a query has one answer.
public struct EntityQuery<Model>: Hashable, Sendable {
    public var rows: RowQuery

    /// All of them, by id.
    public init() { rows = RowQuery() }

    public init(rows: RowQuery) { self.rows = rows }

    /// Those for which this holds besides.
    public func filter(_ filter: Filter<Model>) -> Self {
        with { query in
            query.condition = query.condition == .always ? filter.condition : .all([query.condition, filter.condition])
        }
    }

    /// Null comes first, and last when `descending`. What is said first goes first.
    public func sorted(by field: Field<Model, some FieldRepresentable>, descending: Bool = false) -> Self {
        with { $0.sort.append(SortKey(field.name, descending: descending)) }
    }

    /// - Parameter count: none when it is not positive.
    public func limit(_ count: Int) -> Self { with { $0.limit = max(0, count) } }

    /// Asks the service for a parameter of its own, such as the `q` of a search.
    ///
    /// ```swift
    /// EntityQuery<Note>().parameter("q", "milk", matching: Note.text.hasWords("milk"))
    /// ```
    ///
    /// The service gets `?q=milk`. Each value is a list of its own in the store. A later value of
    /// the same name replaces an earlier one.
    ///
    /// A source of the usual layout sends `filter`, `sort`, `limit` and `after` for the other parts
    /// of a query: give a parameter one of these names only if the query has no such part.
    ///
    /// - Parameters:
    ///   - value: its `description` is sent: a text, a number, a `Bool`, a `UUID`, a `WallTime`.
    ///     nil removes the parameter.
    ///   - filter: the models that the service takes the parameter to ask for. The store answers by
    ///     it. nil if only the service knows: then a query over the store fails with
    ///     ``ReadFailure/Code/unsupported``, and an added model is not shown in the list before the
    ///     service has it.
    public func parameter(
        _ name: String, _ value: (some CustomStringConvertible)?, matching filter: Filter<Model>? = nil
    ) -> Self {
        with { query in
            query.parameters.removeAll { $0.name == name }
            guard let value else { return }
            query.parameters.append(QueryParameter(name, value.description, matching: filter?.condition))
        }
    }

    /// Those behind a place in the same order, such as the end of the page before.
    public func after(_ cursor: Cursor) -> Self { with { $0.after = cursor } }

    private func with(_ change: (inout RowQuery) -> Void) -> Self {
        var copy = self
        change(&copy.rows)
        return copy
    }
}

/// A ``EntityQuery`` without its model, as stores see it.
public struct RowQuery: Hashable, Sendable {
    public var condition: Condition
    public var sort: [SortKey]
    /// None when it is not positive.
    public var limit: Int?
    public var after: Cursor?
    /// For the service alone: a store looks at `condition`, and gets ``storeQuery``.
    public var parameters: [QueryParameter] = []

    public init(_ condition: Condition = .always, sort: [SortKey] = [], limit: Int? = nil, after: Cursor? = nil) {
        self.condition = condition
        self.sort = sort
        self.limit = limit
        self.after = after
    }
}

extension RowQuery {
    /// The text of a parameter; nil if the query has none of the name.
    ///
    /// For a service that names it otherwise:
    ///
    /// ```swift
    /// let source = RemoteSource<Note>.http(client, get: note) { query in
    ///     .get("search", query: ["text": query.rows.parameter("q") ?? ""])
    /// }
    /// ```
    public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The value of a parameter; nil if the query has none of the name and type.
    public func parameter<Value: LosslessStringConvertible>(_ name: String, as: Value.Type) -> Value? {
        parameter(name).flatMap(Value.init)
    }

    /// The query for a store, with the conditions of the parameters in their place.
    ///
    /// nil if a parameter has no condition.
    public var storeQuery: RowQuery? {
        var query = self
        query.parameters = []
        for parameter in parameters {
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
    /// The entities that the service takes it to ask for; nil if only the service knows.
    public var condition: Condition?

    /// A parameter, and the condition by which a store answers it.
    public init(_ name: String, _ value: String, matching condition: Condition? = nil) {
        self.name = name
        self.value = value
        self.condition = condition
    }
}

public struct SortKey: Hashable, Sendable {
    public var field: String
    public var isDescending: Bool

    public init(_ field: String, descending: Bool = false) {
        self.field = field
        isDescending = descending
    }
}

/// A place in the order of a query: that of an entity, which need not be there any more.
public struct Cursor: Hashable, Sendable {
    /// One for each key that the query sorts by.
    public let values: [FieldValue]
    public let id: String

    public init(values: [FieldValue], id: String) {
        self.values = values
        self.id = id
    }
}

extension RowQuery {
    /// The place of an entity in the order of this query.
    public func cursor(id: String, _ fields: [String: FieldValue]) -> Cursor {
        Cursor(values: sort.map { fields[$0.field, default: .null] }, id: id)
    }

    /// Whether one place comes before another. Values that a cursor lacks are null.
    public func precedes(_ a: Cursor, _ b: Cursor) -> Bool {
        for (index, key) in sort.enumerated() {
            let left = index < a.values.count ? a.values[index] : .null
            let right = index < b.values.count ? b.values[index] : .null
            if left != right { return (left < right) != key.isDescending }
        }
        return UTF8Key(a.id) < UTF8Key(b.id)
    }

    /// What the query answers of these, for stores that hold their entities in memory.
    ///
    /// - Complexity: one look at each entity, and a sort of those that match.
    public func answer<Element>(
        _ elements: some Sequence<Element>, id: (Element) -> String, fields: (Element) -> [String: FieldValue]
    ) -> [Element] {
        if let limit, limit <= 0 { return [] }
        var found: [(place: Cursor, element: Element)] = []
        for element in elements {
            let values = fields(element)
            guard condition.matches(values) else { continue }
            let place = cursor(id: id(element), values)
            if let after, !precedes(after, place) { continue }
            found.append((place, element))
        }
        found.sort { precedes($0.place, $1.place) }
        return found.prefix(limit ?? found.count).map(\.element)
    }
}
