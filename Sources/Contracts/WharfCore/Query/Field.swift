/// A property of a model for queries, with its name in stores and at services.
///
/// ```swift
/// extension Note {
///     static let title = Field<Note, String>("title") { $0.title }
///     static let due = Field<Note, WallTime?>("due") { $0.due }
/// }
///
/// let query = EntityQuery<Note>().filter(Note.due < tomorrow && !Note.title.hasPrefix("re:")).sorted(by: Note.due).limit(20)
/// ```
public struct Field<Model, Value: FieldRepresentable>: Sendable {
    /// The name of the field.
    public let name: String
    /// Reads the value from a model.
    public let read: @Sendable (Model) -> Value

    /// Creates a field.
    public init(_ name: String, _ read: @escaping @Sendable (Model) -> Value) {
        self.name = name
        self.read = read
    }

    /// The index of the field, for the `indexes` of a kind.
    public var index: EntityIndex<Model> { EntityIndex(name: name) { [read] in read($0).fieldValue } }
}

/// A field that a store can search and sort by.
public struct EntityIndex<Model>: Sendable {
    /// The name of the field.
    public let name: String
    /// Reads the value from a model.
    public let read: @Sendable (Model) -> FieldValue

    /// Creates an index.
    public init(name: String, read: @escaping @Sendable (Model) -> FieldValue) {
        self.name = name
        self.read = read
    }
}

/// A ``Condition`` on the entities of one model.
public struct Filter<Model>: Hashable, Sendable {
    /// The condition.
    public let condition: Condition

    /// Creates a filter from a condition.
    public init(_ condition: Condition) { self.condition = condition }

    public static func && (a: Self, b: Self) -> Self { Self(.all([a.condition, b.condition])) }
    public static func || (a: Self, b: Self) -> Self { Self(.any([a.condition, b.condition])) }
    public static prefix func ! (filter: Self) -> Self { Self(.not(filter.condition)) }
}

extension Field {
    public static func == (field: Self, value: Value) -> Filter<Model> { Filter(.equal(field.name, value.fieldValue)) }
    public static func != (field: Self, value: Value) -> Filter<Model> { !(field == value) }
    public static func < (field: Self, value: Value) -> Filter<Model> { field.ordered(.less, value) }
    public static func <= (field: Self, value: Value) -> Filter<Model> { field.ordered(.lessOrEqual, value) }
    public static func > (field: Self, value: Value) -> Filter<Model> { field.ordered(.greater, value) }
    public static func >= (field: Self, value: Value) -> Filter<Model> { field.ordered(.greaterOrEqual, value) }

    private func ordered(_ order: Condition.Order, _ value: Value) -> Filter<Model> {
        Filter(.ordered(name, order, value.fieldValue))
    }

    /// Returns a filter for fields that are equal to one of the values.
    public func isIn(_ values: some Sequence<Value>) -> Filter<Model> {
        Filter(.isIn(name, Set(values.map(\.fieldValue))))
    }
}

extension Field where Value == String {
    /// Returns a filter for texts with a prefix, compared by their UTF-8 bytes.
    public func hasPrefix(_ prefix: String) -> Filter<Model> { Filter(.hasPrefix(name, prefix)) }

    /// Returns a filter for a full-text search.
    ///
    /// Each word of the search must begin a word of the field. Case and diacritics do not count
    /// (``SearchWords``). A search without a word matches every text.
    ///
    /// The kind must declare the field in its `indexes`. A model that was stored before the
    /// declaration is found after it is stored again. To search several properties, combine them in
    /// one field:
    ///
    /// ```swift
    /// extension Note {
    ///     static let text = Field<Note, String>("text") { "\($0.title)\n\($0.body)" }
    /// }
    /// let query = EntityQuery<Note>().filter(Note.text.hasWords("milk bre"))
    /// ```
    ///
    /// - Complexity: in SQLite, that of an index lookup (FTS5); the first search of a field creates
    ///   the index. Other stores, and SQLite without FTS5, read every text.
    public func hasWords(_ search: String) -> Filter<Model> {
        Filter(.hasWords(name, SearchWords(search)))
    }
}

extension Field where Value == String? {
    /// Returns a filter for texts with a prefix, compared by their UTF-8 bytes.
    public func hasPrefix(_ prefix: String) -> Filter<Model> { Filter(.hasPrefix(name, prefix)) }

    /// Returns a filter for a full-text search, as for a non-optional field.
    ///
    /// nil matches no search.
    public func hasWords(_ search: String) -> Filter<Model> {
        Filter(.hasWords(name, SearchWords(search)))
    }
}
