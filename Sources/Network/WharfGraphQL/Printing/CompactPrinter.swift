/// Prints checked documents token by token.
struct CompactPrinter {
    private(set) var buffer = TextBuffer()

    mutating func write(_ document: GraphQLDocument) {
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): write(operation)
            case .fragment(let fragment): write(fragment)
            }
        }
    }

    private mutating func write(_ operation: GraphQLOperation) {
        if !operation.isShorthand {
            if let description = operation.description { write(description) }
            buffer.word(operation.kind.rawValue)
            if let name = operation.name { buffer.word(name) }
            if !operation.variables.isEmpty {
                mark("(")
                for variable in operation.variables { write(variable) }
                mark(")")
            }
            write(operation.directives)
        }
        write(operation.selections)
    }

    private mutating func write(_ variable: GraphQLVariable) {
        if let description = variable.description { write(description) }
        mark("$")
        buffer.word(variable.name)
        mark(":")
        write(variable.type)
        if let value = variable.defaultValue {
            mark("=")
            write(value)
        }
        write(variable.directives)
    }

    private mutating func write(_ type: GraphQLType) {
        switch type {
        case .named(let name): buffer.word(name)
        case .list(let element):
            mark("[")
            write(element)
            mark("]")
        case .nonNull(let type):
            write(type)
            mark("!")
        }
    }

    private mutating func write(_ fragment: GraphQLFragment) {
        if let description = fragment.description { write(description) }
        buffer.word("fragment")
        buffer.word(fragment.name)
        buffer.word("on")
        buffer.word(fragment.typeCondition)
        write(fragment.directives)
        write(fragment.selections)
    }

    private mutating func write(_ selections: [GraphQLSelection]) {
        mark("{")
        for selection in selections {
            switch selection {
            case .field(let field): write(field)
            case .fragmentSpread(let spread):
                buffer.spread()
                buffer.word(spread.name)
                write(spread.directives)
            case .inlineFragment(let fragment):
                buffer.spread()
                if let type = fragment.typeCondition {
                    buffer.word("on")
                    buffer.word(type)
                }
                write(fragment.directives)
                write(fragment.selections)
            }
        }
        mark("}")
    }

    private mutating func write(_ field: GraphQLField) {
        if let alias = field.alias {
            buffer.word(alias)
            mark(":")
        }
        buffer.word(field.name)
        write(field.arguments)
        write(field.directives)
        if !field.selections.isEmpty { write(field.selections) }
    }

    private mutating func write(_ directives: [GraphQLDirective]) {
        for directive in directives {
            mark("@")
            buffer.word(directive.name)
            write(directive.arguments)
        }
    }

    private mutating func write(_ arguments: GraphQLArguments) {
        guard !arguments.isEmpty else { return }
        mark("(")
        writeElements(arguments)
        mark(")")
    }

    private mutating func writeElements(_ arguments: GraphQLArguments) {
        for argument in arguments.elements {
            buffer.word(argument.name)
            mark(":")
            write(argument.value)
        }
    }

    private mutating func write(_ value: GraphQLValue) {
        switch value {
        case .null: buffer.word("null")
        case .bool(let value): buffer.word(value ? "true" : "false")
        case .number(let number): buffer.word(number.text)
        case .string(let text): write(text)
        case .enum(let name): buffer.word(name)
        case .variable(let name):
            mark("$")
            buffer.word(name)
        case .list(let values):
            mark("[")
            for value in values { write(value) }
            mark("]")
        case .object(let fields):
            mark("{")
            writeElements(fields)
            mark("}")
        }
    }

    private mutating func write(_ text: GraphQLString) {
        // A block string that would change the text is printed in plain quotes.
        if text.isBlock, BlockString.canHold(text.text) { buffer.block(text.text) } else { buffer.quoted(text.text) }
    }

    private mutating func mark(_ scalar: Unicode.Scalar) { buffer.punctuator(UInt8(ascii: scalar)) }
}
