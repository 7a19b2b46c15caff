/// Checks a document for structures that the model allows and the grammar forbids.
struct DocumentCheck {
    /// Thrown after the reason was stored in ``fault``. An error without a payload keeps the stack
    /// frames of recursive functions small.
    private struct Stop: Error {}

    // Invariants: `levelsLeft` is the rest of the nesting at the current element. `fault` is set
    // exactly while a `Stop` is thrown.
    private var levelsLeft = GraphQLDocument.maximumDepth
    private var fault: (code: GraphQLSyntaxError.Code, message: String)?

    static func check(_ document: GraphQLDocument) throws(GraphQLSyntaxError) {
        var check = DocumentCheck()
        do throws(Stop) {
            try check.check(document)
        } catch {
            guard let fault = check.fault else { preconditionFailure("stopped without a fault") }
            throw GraphQLSyntaxError(fault.code, message: fault.message)
        }
    }

    private mutating func check(_ document: GraphQLDocument) throws(Stop) {
        guard !document.definitions.isEmpty else {
            throw stop(.empty, "expected an operation or a fragment, found an empty document")
        }
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): try check(operation)
            case .fragment(let fragment): try check(fragment)
            }
        }
    }

    private mutating func check(_ operation: GraphQLOperation) throws(Stop) {
        do throws(Stop) {
            if let name = operation.name { try check(name, "a name") }
            for variable in operation.variables { try check(variable) }
            try check(operation.directives)
            try check(operation.selections)
        } catch {
            // Each level adds its name on the way out, so the message leads to the place.
            throw stopped(in: operation.name.map { "\(operation.kind) \($0)" } ?? "\(operation.kind)")
        }
    }

    private mutating func check(_ variable: GraphQLVariable) throws(Stop) {
        do throws(Stop) {
            try check(variable.name, "a variable's name")
            try check(variable.type)
            if let value = variable.defaultValue { try check(value, isConstant: true) }
            try check(variable.directives, isConstant: true)
        } catch {
            throw stopped(in: "variable \(variable.name)")
        }
    }

    private mutating func check(_ fragment: GraphQLFragment) throws(Stop) {
        do throws(Stop) {
            try check(fragmentName: fragment.name)
            try check(fragment.typeCondition, "the name of a type")
            try check(fragment.directives)
            try check(fragment.selections)
        } catch {
            throw stopped(in: "fragment \(fragment.name)")
        }
    }

    private mutating func check(_ selections: [GraphQLSelection]) throws(Stop) {
        // September 2025 §2.5: a selection set has at least one selection.
        guard !selections.isEmpty else { throw stop(.empty, "expected a selection, found none") }
        try enter()
        for selection in selections {
            switch selection {
            case .field(let field): try check(field)
            case .fragmentSpread(let spread): try check(spread)
            case .inlineFragment(let fragment): try check(fragment)
            }
        }
        // No `defer` is needed: after an error the check ends, and the count is of no use.
        levelsLeft += 1
    }

    private mutating func check(_ field: GraphQLField) throws(Stop) {
        do throws(Stop) {
            if let alias = field.alias { try check(alias, "an alias") }
            try check(field.name, "a field's name")
            try check(field.arguments)
            try check(field.directives)
            // A field without selections is a leaf, and has no braces.
            if !field.selections.isEmpty { try check(field.selections) }
        } catch {
            throw stopped(in: "field \(field.name)")
        }
    }

    private mutating func check(_ spread: GraphQLFragmentSpread) throws(Stop) {
        try check(fragmentName: spread.name)
        try check(spread.directives)
    }

    private mutating func check(_ fragment: GraphQLInlineFragment) throws(Stop) {
        if let type = fragment.typeCondition { try check(type, "the name of a type") }
        try check(fragment.directives)
        try check(fragment.selections)
    }

    private mutating func check(_ directives: [GraphQLDirective], isConstant: Bool = false) throws(Stop) {
        for directive in directives {
            try check(directive.name, "a directive's name")
            try check(directive.arguments, isConstant: isConstant)
        }
    }

    private mutating func check(_ arguments: GraphQLArguments, isConstant: Bool = false) throws(Stop) {
        for argument in arguments.elements {
            do throws(Stop) {
                try check(argument.name, "an argument's name")
                try check(argument.value, isConstant: isConstant)
            } catch {
                throw stopped(in: "argument \(argument.name)")
            }
        }
    }

    private mutating func check(_ value: GraphQLValue, isConstant: Bool) throws(Stop) {
        switch value {
        case .null, .bool, .string: break
        case .number(let number): try check(number)
        case .enum(let name): try check(enumeration: name)
        case .variable(let name): try check(variable: name, isConstant: isConstant)
        case .list(let values):
            try enter()
            for value in values { try check(value, isConstant: isConstant) }
            levelsLeft += 1
        case .object(let fields):
            try enter()
            try check(fields, isConstant: isConstant)
            levelsLeft += 1
        }
    }

    private mutating func check(_ number: GraphQLNumber) throws(Stop) {
        // `GraphQLNumber` may have been made of NaN or an infinity, which the grammar can't
        // express.
        guard Numeral.isValid(number.text) else {
            throw stop(.notFinite, "expected a finite number, found \(number.text)")
        }
    }

    private mutating func check(enumeration name: String) throws(Stop) {
        try check(name, "an enumeration's value")
        // §2.10.6: these three names are other values.
        if name == "true" || name == "false" || name == "null" {
            throw stop(.invalidName, "expected an enumeration's value, found the keyword \"\(name)\"")
        }
    }

    private mutating func check(variable name: String, isConstant: Bool) throws(Stop) {
        guard !isConstant else {
            throw stop(.notConstant, "expected a constant, found the variable \"$\(name)\"")
        }
        try check(name, "a variable's name")
    }

    private mutating func check(_ type: GraphQLType) throws(Stop) {
        switch type {
        case .named(let name): try check(name, "a type")
        case .list(let element):
            try enter()
            try check(element)
            levelsLeft += 1
        // §2.12: a non-null type wraps a named type or a list.
        case .nonNull(.nonNull):
            throw stop(.invalidType, "expected one \"!\" after a type, found two")
        case .nonNull(let type): try check(type)
        }
    }

    private mutating func check(fragmentName name: String) throws(Stop) {
        try check(name, "a fragment's name")
        // §2.9: "on" would begin a type condition.
        if name == "on" {
            throw stop(.invalidName, "expected a fragment's name, found the keyword \"on\"")
        }
    }

    /// Checks a name (GraphQL September 2025 §2.1.8).
    private mutating func check(_ name: String, _ expected: StaticString) throws(Stop) {
        // ASCII alone: by UTF-8 bytes, so no combining mark hides in a name.
        guard name.utf8.first?.isNameStart == true, name.utf8.allSatisfy(\.isNameContinue) else {
            throw stop(
                .invalidName,
                "expected \(expected) of ASCII letters, digits and \"_\", without a digit in front, "
                    + "found \(name.debugDescription)")
        }
    }

    private mutating func enter() throws(Stop) {
        guard levelsLeft > 0 else {
            throw stop(.tooDeep, "expected at most \(GraphQLDocument.maximumDepth) levels, found one more")
        }
        levelsLeft -= 1
    }

    private mutating func stop(_ code: GraphQLSyntaxError.Code, _ message: String) -> Stop {
        fault = (code, message)
        return Stop()
    }

    /// Adds the enclosing element to the message, unless the message is long already.
    private mutating func stopped(in place: String) -> Stop {
        // The path of a deep document would make the message unbounded.
        if let message = fault?.message, message.utf8.count < 400 { fault?.message += ", in \(place)" }
        return Stop()
    }
}
