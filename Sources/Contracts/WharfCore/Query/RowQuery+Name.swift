extension RowQuery {
    /// A text that is equal only for equal queries: the key of a stored list.
    ///
    /// It is the same in every run.
    package var name: String {
        var text = condition.name
        for key in sort { text += (key.isDescending ? ";-" : ";+") + Self.name(key.field) }
        for parameter in parameters {
            text += ";?" + Self.name(parameter.name) + Self.name(parameter.value)
            if let condition = parameter.condition { text += "~" + condition.name }
        }
        if let limit { text += ";#\(limit)" }
        if let after { text += ";>" + after.values.map(\.name).joined(separator: ",") + "," + Self.name(after.id) }
        return text
    }

    /// Returns the text after its length, which makes its end unambiguous.
    fileprivate static func name(_ text: String) -> String { "\(text.utf8.count):\(text)" }
}

extension Condition {
    fileprivate var name: String {
        switch self {
        case .equal(let field, let value): "=" + RowQuery.name(field) + value.name
        case .ordered(let field, let order, let value): order.rawValue + RowQuery.name(field) + value.name
        case .isIn(let field, let values):
            // A set has no order, so the values are sorted. The name is a key on the disk, and must
            // be equal in each run.
            "in" + RowQuery.name(field) + "(" + values.sorted().map(\.name).joined(separator: ",") + ")"
        case .hasPrefix(let field, let prefix): "prefix" + RowQuery.name(field) + RowQuery.name(prefix)
        case .hasWords(let field, let words):
            "words" + RowQuery.name(field) + "(" + words.words.map { RowQuery.name($0) }.joined() + ")"
        case .all(let conditions): "all(" + conditions.map(\.name).joined(separator: ",") + ")"
        case .any(let conditions): "any(" + conditions.map(\.name).joined(separator: ",") + ")"
        case .not(let condition): "not(" + condition.name + ")"
        }
    }
}

extension FieldValue {
    fileprivate var name: String {
        switch form {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "\"" + RowQuery.name(value)
        }
    }
}
