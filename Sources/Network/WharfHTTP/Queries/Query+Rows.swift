public import WharfCore
internal import WharfJSON

/// URL queries for a query over entities, for services that read this form.
///
/// The loopback service of the tests is one.
///
/// ```
/// ?filter=and(lt(due,1700000000),not(prefix(title,"re:")))&sort=-due,title&limit=20&after=1699999999,"tea","n7"
/// ```
///
/// - A condition is `eq`, `lt`, `le`, `gt`, `ge`, `in`, `prefix` or `words` of a field and values,
///   or `and`, `or` or `not` of conditions.
/// - A named parameter is an item of its own, unchanged: `q=milk`.
/// - A value is a number, a string or `null` as in JSON; `1e999` is infinite.
/// - A field is a plain name if it has only letters, digits, `_`, `.` and `-`; otherwise it is a
///   string as in JSON.
/// - `after` has the values of the sort keys and then the id.
extension Query {
    /// Creates the items for a query over entities.
    public init(_ rows: RowQuery) {
        self.init()
        if rows.condition != .always { items.append(QueryItem("filter", Self.text(rows.condition))) }
        if !rows.sort.isEmpty {
            let keys = rows.sort.map { ($0.isDescending ? "-" : "") + Self.text(field: $0.field) }
            items.append(QueryItem("sort", keys.joined(separator: ",")))
        }
        if let limit = rows.limit { items.append(QueryItem("limit", "\(limit)")) }
        if let after = rows.after {
            let parts = after.values.map(Self.text) + [Self.quoted(after.id)]
            items.append(QueryItem("after", parts.joined(separator: ",")))
        }
        items += rows.parameters.map { QueryItem($0.name, $0.value) }
    }

    private static func text(_ condition: Condition) -> String {
        switch condition {
        case .equal(let field, let value): call("eq", [text(field: field), text(value)])
        case .ordered(let field, let order, let value): call(order.name, [text(field: field), text(value)])
        case .isIn(let field, let values): call("in", [text(field: field)] + values.sorted().map(text))
        case .hasPrefix(let field, let prefix): call("prefix", [text(field: field), quoted(prefix)])
        case .hasWords(let field, let words):
            call("words", [text(field: field), quoted(words.words.joined(separator: " "))])
        case .all(let conditions): call("and", conditions.map(text))
        case .any(let conditions): call("or", conditions.map(text))
        case .not(let condition): call("not", [text(condition)])
        }
    }

    private static func call(_ name: String, _ parts: [String]) -> String {
        "\(name)(\(parts.joined(separator: ",")))"
    }

    private static func text(_ value: FieldValue) -> String {
        switch value.form {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): number.isInfinite ? (number < 0 ? "-1e999" : "1e999") : "\(number)"
        case .text(let text): quoted(text)
        }
    }

    private static func text(field: String) -> String {
        // A leading minus would mean descending order.
        let isPlain = !field.isEmpty && field.utf8.first != 0x2D && field.utf8.allSatisfy(QueryText.isNameByte)
        return isPlain ? field : quoted(field)
    }

    private static func quoted(_ text: String) -> String { JSONValue(.string(text)).description }
}

extension Condition.Order {
    var name: String {
        switch self {
        case .less: "lt"
        case .lessOrEqual: "le"
        case .greater: "gt"
        case .greaterOrEqual: "ge"
        }
    }
}

extension RowQuery {
    /// Reads the items that `Query(_: RowQuery)` makes. Items with other names are ignored.
    ///
    /// - Throws: ``WharfCore/ReadFailure/Code/invalidRequest``, which names the expected input and
    ///   the place.
    public init(_ query: Query) throws(ReadFailure) {
        self.init()
        for item in query.items {
            var text = QueryText(item.name, item.value ?? "")
            switch item.name {
            case "filter": condition = try text.condition()
            case "sort": sort = try text.list { text throws(ReadFailure) in try text.sortKey() }
            case "limit": limit = try text.limit()
            case "after": after = try text.cursor()
            default: continue
            }
            // Text after a complete value is an error. Ignoring it would answer another question.
            try text.end()
        }
    }
}
