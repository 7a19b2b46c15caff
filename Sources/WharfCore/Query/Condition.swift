/// Which entities a query asks for: a value that every store understands, in memory, in SQL or at
/// the end of a URL.
///
/// A condition is true or false and nothing between: a comparison by size with null, or of a number
/// with a text, is false, and `not` of it is true. A field that an entity lacks is null.
public indirect enum Condition: Hashable, Sendable {
    public enum Order: String, Hashable, Sendable, CaseIterable {
        case less, lessOrEqual, greater, greaterOrEqual
    }

    /// Null is equal to null.
    case equal(String, FieldValue)
    case ordered(String, Order, FieldValue)
    /// One of these; null among them stands for null.
    case isIn(String, Set<FieldValue>)
    /// A text that begins with these bytes of UTF-8.
    case hasPrefix(String, String)
    /// A text in which each of these words begins a word.
    case hasWords(String, SearchWords)
    /// Every one of them; of none, true.
    case all([Condition])
    /// At least one of them; of none, false.
    case any([Condition])
    case not(Condition)

    public static let always = Condition.all([])
}

extension Condition {
    /// - Complexity: linear in the condition, whatever the number of entities.
    public func matches(_ fields: [String: FieldValue]) -> Bool {
        switch self {
        case .equal(let field, let value): fields[field, default: .null] == value
        case .ordered(let field, let order, let value): order.holds(fields[field, default: .null], value)
        case .isIn(let field, let values): values.contains(fields[field, default: .null])
        case .hasPrefix(let field, let prefix):
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
        guard found.isComparable(to: value) else { return false }
        return switch self {
        case .less: found < value
        case .lessOrEqual: found <= value
        case .greater: found > value
        case .greaterOrEqual: found >= value
        }
    }
}
