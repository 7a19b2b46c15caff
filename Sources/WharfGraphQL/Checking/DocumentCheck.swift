/// What the grammar forbids and the model allows.
struct DocumentCheck {
    private typealias Failure = GraphQLSyntaxError

    private var levelsLeft = GraphQLDocument.maximumDepth

    static func check(_ document: GraphQLDocument) throws(GraphQLSyntaxError) {
        guard !document.definitions.isEmpty else {
            throw Failure(.empty, message: "expected an operation or a fragment, found an empty document")
        }
        var check = DocumentCheck()
        for definition in document.definitions {
            switch definition {
            case .operation(let operation):
                do throws(Failure) {
                    try check.check(operation)
                } catch {
                    throw error.in(operation.kind.rawValue, operation.name)
                }
            case .fragment(let fragment):
                do throws(Failure) {
                    try check.check(fragment)
                } catch {
                    throw error.in("fragment", fragment.name)
                }
            }
        }
    }

    private mutating func check(_ operation: GraphQLOperation) throws(Failure) {
        if let name = operation.name { try check(name, "a name") }
        for variable in operation.variables {
            do throws(Failure) {
                try check(variable.name, "a variable's name")
                try check(variable.type)
                if let value = variable.defaultValue { try check(value, isConstant: true) }
                try check(variable.directives, isConstant: true)
            } catch {
                throw error.in("variable", variable.name)
            }
        }
        try check(operation.directives)
        try check(operation.selections)
    }

    private mutating func check(_ fragment: GraphQLFragment) throws(Failure) {
        try check(fragmentName: fragment.name)
        try check(fragment.typeCondition, "the name of a type")
        try check(fragment.directives)
        try check(fragment.selections)
    }

    private mutating func check(_ selections: [GraphQLSelection]) throws(Failure) {
        guard !selections.isEmpty else { throw Failure(.empty, message: "expected a selection, found none") }
        try enter()
        for selection in selections {
            switch selection {
            case .field(let field):
                do throws(Failure) {
                    try check(field)
                } catch {
                    throw error.in("field", field.name)
                }
            case .fragmentSpread(let spread):
                try check(fragmentName: spread.name)
                try check(spread.directives)
            case .inlineFragment(let fragment):
                if let type = fragment.typeCondition { try check(type, "the name of a type") }
                try check(fragment.directives)
                try check(fragment.selections)
            }
        }
        levelsLeft += 1
    }

    private mutating func check(_ field: GraphQLField) throws(Failure) {
        if let alias = field.alias { try check(alias, "an alias") }
        try check(field.name, "a field's name")
        try check(field.arguments)
        try check(field.directives)
        if !field.selections.isEmpty { try check(field.selections) }
    }

    private mutating func check(_ directives: [GraphQLDirective], isConstant: Bool = false) throws(Failure) {
        for directive in directives {
            try check(directive.name, "a directive's name")
            try check(directive.arguments, isConstant: isConstant)
        }
    }

    private mutating func check(_ arguments: GraphQLArguments, isConstant: Bool = false) throws(Failure) {
        for argument in arguments.elements {
            do throws(Failure) {
                try check(argument.name, "an argument's name")
                try check(argument.value, isConstant: isConstant)
            } catch {
                throw error.in("argument", argument.name)
            }
        }
    }

    private mutating func check(_ value: GraphQLValue, isConstant: Bool) throws(Failure) {
        switch value {
        case .null, .bool, .string: break
        case .number(let number):
            guard Numeral.isValid(number.text) else {
                throw Failure(.notFinite, message: "expected a finite number, found \(number.text)")
            }
        case .enum(let name):
            try check(name, "an enumeration's value")
            if name == "true" || name == "false" || name == "null" {
                throw Failure(
                    .invalidName, message: "expected an enumeration's value, found the keyword \"\(name)\"")
            }
        case .variable(let name):
            guard !isConstant else {
                throw Failure(.notConstant, message: "expected a constant, found the variable \"$\(name)\"")
            }
            try check(name, "a variable's name")
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

    private mutating func check(_ type: GraphQLType) throws(Failure) {
        switch type {
        case .named(let name): try check(name, "a type")
        case .list(let element):
            try enter()
            try check(element)
            levelsLeft += 1
        case .nonNull(.nonNull):
            throw Failure(.invalidType, message: "expected one \"!\" behind a type, found two")
        case .nonNull(let type): try check(type)
        }
    }

    private func check(fragmentName name: String) throws(Failure) {
        try check(name, "a fragment's name")
        if name == "on" {
            throw Failure(.invalidName, message: "expected a fragment's name, found the keyword \"on\"")
        }
    }

    /// September 2025 §2.1.8.
    private func check(_ name: String, _ expected: StaticString) throws(Failure) {
        guard name.utf8.first?.isNameStart == true, name.utf8.allSatisfy(\.isNameContinue) else {
            throw Failure(
                .invalidName,
                message: "expected \(expected) of ASCII letters, digits and \"_\", without a digit in front, "
                    + "found \(name.debugDescription)")
        }
    }

    private mutating func enter() throws(Failure) {
        guard levelsLeft > 0 else {
            throw Failure(
                .tooDeep, message: "expected at most \(GraphQLDocument.maximumDepth) levels, found one more")
        }
        levelsLeft -= 1
    }
}

extension GraphQLSyntaxError {
    /// The same with what the place is in.
    fileprivate func `in`(_ kind: String, _ name: String?) -> GraphQLSyntaxError {
        GraphQLSyntaxError(code, message: "\(message), in \(name.map { "\(kind) \($0)" } ?? kind)")
    }
}
