internal import WharfPrimitives

/// Which entities, in which order, and how many: a plain value that runs in memory, in SQL, and at a service.
///
/// Entities that are alike in all fields that they are sorted by come in the order of their ids, so a query has one answer.
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

    public init(_ condition: Condition = .always, sort: [SortKey] = [], limit: Int? = nil, after: Cursor? = nil) {
        self.condition = condition
        self.sort = sort
        self.limit = limit
        self.after = after
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
