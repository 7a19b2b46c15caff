/// Prints checked documents in the layout of graphql-js.
struct PrettyPrinter {
    /// The maximum width in UTF-16 units, as JavaScript counts.
    static let maximumWidth = 80

    private var bytes: [UInt8] = []
    private var indent = 0

    func text() -> String { String(decoding: bytes, as: UTF8.self) }

    mutating func write(_ document: GraphQLDocument) {
        for (index, definition) in document.definitions.enumerated() {
            if index > 0 { raw("\n\n") }
            switch definition {
            case .operation(let operation): write(operation)
            case .fragment(let fragment): write(fragment)
            }
        }
    }

    private mutating func write(_ operation: GraphQLOperation) {
        if !operation.isShorthand {
            if let description = operation.description { writeLine(description) }
            name(operation.kind.rawValue)
            // graphql-js prints this blank before the variables of a nameless operation too.
            if operation.name != nil || !operation.variables.isEmpty { raw(" ") }
            if let name = operation.name { self.name(name) }
            write(operation.variables)
            write(operation.directives)
            raw(" ")
        }
        write(operation.selections)
    }

    private mutating func write(_ variables: [GraphQLVariable]) {
        guard !variables.isEmpty else { return }
        // graphql-js does not indent variables.
        let isSpread = variables.contains(where: \.isSpread)
        raw(isSpread ? "(\n" : "(")
        for (index, variable) in variables.enumerated() {
            if index > 0 { raw(isSpread ? "\n" : ", ") }
            if let description = variable.description { writeLine(description) }
            raw("$")
            name(variable.name)
            raw(": ")
            write(variable.type)
            if let value = variable.defaultValue {
                raw(" = ")
                write(value)
            }
            write(variable.directives)
        }
        raw(isSpread ? "\n)" : ")")
    }

    private mutating func write(_ type: GraphQLType) {
        switch type {
        case .named(let name): self.name(name)
        case .list(let element):
            raw("[")
            write(element)
            raw("]")
        case .nonNull(let type):
            write(type)
            raw("!")
        }
    }

    private mutating func write(_ fragment: GraphQLFragment) {
        if let description = fragment.description { writeLine(description) }
        raw("fragment ")
        name(fragment.name)
        raw(" on ")
        name(fragment.typeCondition)
        write(fragment.directives)
        raw(" ")
        write(fragment.selections)
    }

    private mutating func write(_ selections: [GraphQLSelection]) {
        raw("{")
        lines(of: selections) { printer, selection in
            switch selection {
            case .field(let field): printer.write(field)
            case .fragmentSpread(let spread):
                printer.raw("...")
                printer.name(spread.name)
                printer.write(spread.directives)
            case .inlineFragment(let fragment):
                printer.raw("...")
                if let type = fragment.typeCondition {
                    printer.raw(" on ")
                    printer.name(type)
                }
                printer.write(fragment.directives)
                printer.raw(" ")
                printer.write(fragment.selections)
            }
        }
        raw("}")
    }

    private mutating func write(_ field: GraphQLField) {
        // Names are ASCII, so bytes are columns.
        var prefix = field.name.utf8.count
        if let alias = field.alias {
            name(alias)
            raw(": ")
            prefix += alias.utf8.count + 2
        }
        name(field.name)
        if !field.arguments.isEmpty {
            var budget = LineBudget(prefix + 2)
            budget.take(field.arguments)
            if budget.isExceeded {
                raw("(")
                lines(of: field.arguments.elements) { $0.write($1) }
                raw(")")
            } else {
                write(field.arguments)
            }
        }
        write(field.directives)
        if !field.selections.isEmpty {
            raw(" ")
            write(field.selections)
        }
    }

    private mutating func write(_ directives: [GraphQLDirective]) {
        for directive in directives {
            raw(" @")
            name(directive.name)
            if !directive.arguments.isEmpty { write(directive.arguments) }
        }
    }

    private mutating func write(_ arguments: GraphQLArguments) {
        raw("(")
        row(of: arguments.elements) { $0.write($1) }
        raw(")")
    }

    private mutating func write(_ argument: GraphQLArgument) {
        name(argument.name)
        raw(": ")
        write(argument.value)
    }

    private mutating func write(_ value: GraphQLValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .number(let number): name(number.text)
        case .string(let text): write(text)
        case .enum(let name): self.name(name)
        case .variable(let name):
            raw("$")
            self.name(name)
        case .list(let values):
            raw("[")
            if value.isWide { lines(of: values) { $0.write($1) } } else { row(of: values) { $0.write($1) } }
            raw("]")
        case .object(let fields):
            // graphql-js prints both blanks even in an empty object: "{ }".
            let isWide = value.isWide
            raw(isWide ? "{" : "{ ")
            if isWide {
                lines(of: fields.elements) { $0.write($1) }
            } else {
                row(of: fields.elements) { $0.write($1) }
            }
            raw(isWide ? "}" : " }")
        }
    }

    private mutating func write(_ text: GraphQLString) {
        if text.isBlock, BlockString.canHold(text.text) {
            BlockString.append(text.text, to: &bytes, isCompact: false, indent: indent)
        } else {
            Quoting.append(text.text, to: &bytes)
        }
    }

    private mutating func writeLine(_ description: GraphQLString) {
        write(description)
        lineEnd()
    }
}

// MARK: - Layout

extension PrettyPrinter {
    private mutating func row<Element>(
        of elements: [Element], _ write: (inout PrettyPrinter, Element) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { raw(", ") }
            write(&self, element)
        }
    }

    private mutating func lines<Element>(
        of elements: [Element], _ write: (inout PrettyPrinter, Element) -> Void
    ) {
        indent += 2
        for element in elements {
            lineEnd()
            write(&self, element)
        }
        indent -= 2
        lineEnd()
    }

    private mutating func lineEnd() {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: indent))
    }

    private mutating func name(_ name: String) { bytes.append(contentsOf: name.utf8) }

    private mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
