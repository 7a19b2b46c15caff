/// A property of a model that queries speak of, under the name that stores and services know it by.
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
    public let name: String
    public let read: @Sendable (Model) -> Value

    public init(_ name: String, _ read: @escaping @Sendable (Model) -> Value) {
        self.name = name
        self.read = read
    }

    /// For the list of fields that a store keeps beside each entity.
    public var index: EntityIndex<Model> { EntityIndex(name: name) { [read] in read($0).fieldValue } }
}

/// A field that a store can search and sort by.
public struct EntityIndex<Model>: Sendable {
    public let name: String
    public let read: @Sendable (Model) -> FieldValue

    public init(name: String, read: @escaping @Sendable (Model) -> FieldValue) {
        self.name = name
        self.read = read
    }
}

/// A ``Condition`` on the entities of one model.
public struct Filter<Model>: Hashable, Sendable {
    public let condition: Condition

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

    public func isIn(_ values: some Sequence<Value>) -> Filter<Model> {
        Filter(.isIn(name, Set(values.map(\.fieldValue))))
    }
}

extension Field where Value == String {
    /// By the bytes of UTF-8.
    public func hasPrefix(_ prefix: String) -> Filter<Model> { Filter(.hasPrefix(name, prefix)) }

    /// Searches the full text: each word of the search begins a word of the field.
    ///
    /// Case and diacritics do not count (``SearchWords``). A search without a word matches every
    /// text.
    ///
    /// The kind has to declare the field in its `indexes`. A model that was stored before the
    /// declaration is found when it is stored again. To search several properties, make one field
    /// of them:
    ///
    /// ```swift
    /// extension Note {
    ///     static let text = Field<Note, String>("text") { "\($0.title)\n\($0.body)" }
    /// }
    /// let query = EntityQuery<Note>().filter(Note.text.hasWords("milk bre"))
    /// ```
    ///
    /// - Complexity: in SQLite, that of a look into an index (FTS5), which the first search of a
    ///   field makes. Other stores, and a SQLite without FTS5, read every text.
    public func hasWords(_ search: String) -> Filter<Model> {
        Filter(.hasWords(name, SearchWords(search)))
    }
}

extension Field where Value == String? {
    /// By the bytes of UTF-8.
    public func hasPrefix(_ prefix: String) -> Filter<Model> { Filter(.hasPrefix(name, prefix)) }

    /// Searches the full text, as for a field that is never nil. nil matches no search.
    public func hasWords(_ search: String) -> Filter<Model> {
        Filter(.hasWords(name, SearchWords(search)))
    }
}
