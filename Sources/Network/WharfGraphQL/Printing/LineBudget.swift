/// Measures the width of a row up to the maximum. It stops there, so that a long value is not
/// measured completely at each of its levels.
struct LineBudget {
    private var left: Int

    init(_ taken: Int) { left = PrettyPrinter.maximumWidth - taken }

    var isExceeded: Bool { left < 0 }

    private mutating func take(_ count: Int) { left -= count }

    mutating func take(_ arguments: GraphQLArguments) {
        // Each loop stops when the budget is used up, so the cost is that of one row.
        for (index, argument) in arguments.elements.enumerated() where !isExceeded {
            take(argument.name.utf8.count + (index > 0 ? 4 : 2))
            take(argument.value)
        }
    }

    mutating func take(_ value: GraphQLValue) {
        guard !isExceeded else { return }
        switch value {
        case .null: take(4)
        case .bool(let value): take(value ? 4 : 5)
        case .number(let number): take(number.text.utf8.count)
        case .string(let text):
            take(text.width(limit: left))
        case .enum(let name): take(name.utf8.count)
        case .variable(let name): take(name.utf8.count + 1)
        case .list(let values):
            take(2)
            for (index, value) in values.enumerated() where !isExceeded {
                if index > 0 { take(2) }
                take(value)
            }
        case .object(let fields):
            take(4)
            take(fields)
        }
    }
}

extension GraphQLValue {
    /// Whether a list or an object exceeds the maximum width, and takes several lines.
    var isWide: Bool {
        var budget = LineBudget(0)
        budget.take(self)
        return budget.isExceeded
    }

    /// Whether the value takes several lines.
    var isSpread: Bool {
        switch self {
        case .string(let text): text.isSpread
        // A list is spread if an element is, even if it fits by its width.
        case .list(let values): isWide || values.contains(where: \.isSpread)
        case .object(let fields): isWide || fields.contains { $0.value.isSpread }
        case .null, .bool, .number, .enum, .variable: false
        }
    }
}

extension GraphQLString {
    /// Returns the width in UTF-16 units. It stops beyond `limit`.
    fileprivate func width(limit: Int) -> Int {
        // A scalar has at most three bytes for each of its UTF-16 units, and each unit is printed
        // as one or more.
        guard text.utf8.count <= 3 * limit else { return limit + 1 }
        guard isBlock, BlockString.canHold(text) else { return Quoting.length(of: text) }
        return BlockString.length(of: text)
    }

    fileprivate var isSpread: Bool { isBlock && BlockString.canHold(text) && BlockString.isSpread(text) }
}

extension GraphQLVariable {
    /// Whether the definition takes several lines.
    var isSpread: Bool {
        description != nil || defaultValue?.isSpread == true
            || directives.contains { $0.arguments.contains { $0.value.isSpread } }
    }
}
