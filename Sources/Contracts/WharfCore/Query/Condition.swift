/// The condition of a query, which a store evaluates in memory, in SQL or by a URL.
///
/// A condition is either true or false. A comparison by size with null, or of a number with a text,
/// is false, and `not` of it is true. A field that an entity lacks is null.
public indirect enum Condition: Hashable, Sendable {
    /// A comparison by size.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The field is less, at most, greater or at least the value.
        case less, lessOrEqual, greater, greaterOrEqual
    }

    /// The field is equal to the value. Null is equal to null.
    case equal(String, FieldValue)
    /// The field compares to the value in this way.
    case ordered(String, Order, FieldValue)
    /// The field is equal to one of the values; null may be among them.
    case isIn(String, Set<FieldValue>)
    /// The field is a text that begins with these bytes of UTF-8.
    case hasPrefix(String, String)
    /// The field is a text in which each of these words begins a word.
    case hasWords(String, SearchWords)
    /// All conditions are true; true without conditions.
    case all([Condition])
    /// At least one condition is true; false without conditions.
    case any([Condition])
    /// The condition is false.
    case not(Condition)

    /// The condition that is always true.
    public static let always = Condition.all([])
}

extension Condition {
    /// Returns whether the fields of an entity match.
    ///
    /// - Complexity: linear in the condition, independent of the number of entities.
    public func matches(_ fields: [String: FieldValue]) -> Bool {
        switch self {
        case .equal(let field, let value): fields[field, default: .null] == value
        case .ordered(let field, let order, let value): order.holds(fields[field, default: .null], value)
        // A field that is missing is null, and null may be among the values.
        case .isIn(let field, let values): values.contains(fields[field, default: .null])
        case .hasPrefix(let field, let prefix):
            // By bytes, as an index of a database compares. "e" must not be refused as the prefix
            // of a combining "é".
            fields[field]?.text.map { $0.utf8.starts(with: prefix.utf8) } ?? false
        case .hasWords(let field, let words): fields[field]?.text.map(words.matches) ?? false
        case .all(let conditions): conditions.allSatisfy { $0.matches(fields) }
        case .any(let conditions): conditions.contains { $0.matches(fields) }
        case .not(let condition): !condition.matches(fields)
        }
    }
}

extension Condition.Order {
    fileprivate func holds(_ found: FieldValue, _ value: FieldValue) -> Bool {
        // SQL would give null here. A plain false lets `not` have the same answer in memory and in
        // a database.
        guard found.isComparable(to: value) else { return false }
        return switch self {
        case .less: found < value
        case .lessOrEqual: found <= value
        case .greater: found > value
        case .greaterOrEqual: found >= value
        }
    }
}
