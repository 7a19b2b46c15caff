extension Parser {
    mutating func selections() throws(Lexer.Stop) -> [GraphQLSelection] {
        guard kind == .openBrace else { throw unexpected("\"{\" and selections") }
        try enter()
        var selections: [GraphQLSelection] = []
        repeat {
            switch kind {
            case .name: selections.append(.field(try field()))
            case .spread: selections.append(try spread())
            default: throw unexpected("a selection")
            }
        } while try !leave(.closeBrace)
        return selections
    }

    private mutating func field() throws(Lexer.Stop) -> GraphQLField {
        var name = try name("a field")
        var alias: String?
        if try skip(.colon) {
            alias = name
            name = try self.name("a field's name after its alias")
        }
        return GraphQLField(
            alias: alias, name: name, arguments: try arguments(isConstant: false),
            directives: try directives(isConstant: false), selections: kind == .openBrace ? try selections() : [])
    }

    private mutating func spread() throws(Lexer.Stop) -> GraphQLSelection {
        try advance()
        var typeCondition: String?
        // `... on Film` and `... {` are inline; any other name is that of a fragment.
        if lexer.isName("on") {
            try advance()
            typeCondition = try name("the fragment's type")
        } else if kind == .name {
            let name = try name("a fragment's name")
            return .fragmentSpread(GraphQLFragmentSpread(name, directives: try directives(isConstant: false)))
        }
        let directives = try directives(isConstant: false)
        let selections = try selections()
        return .inlineFragment(GraphQLInlineFragment(on: typeCondition, directives: directives) { selections })
    }

    mutating func directives(isConstant: Bool) throws(Lexer.Stop) -> [GraphQLDirective] {
        var directives: [GraphQLDirective] = []
        while try skip(.at) {
            let name = try name("a directive's name")
            directives.append(GraphQLDirective(name, try arguments(isConstant: isConstant)))
        }
        return directives
    }

    private mutating func arguments(isConstant: Bool) throws(Lexer.Stop) -> GraphQLArguments {
        guard try skip(.openParenthesis) else { return GraphQLArguments() }
        var arguments: [GraphQLArgument] = []
        repeat {
            let name = try name("an argument")
            try expect(.colon, "\":\" and the argument's value")
            arguments.append(GraphQLArgument(name, try value(isConstant: isConstant)))
        } while try !skip(.closeParenthesis)
        return GraphQLArguments(arguments)
    }

    /// - Parameter isConstant: whether variables are refused.
    mutating func value(isConstant: Bool) throws(Lexer.Stop) -> GraphQLValue {
        let token = lexer.token
        switch token.kind {
        case .name:
            if lexer.isName("null") {
                try advance()
                return .null
            }
            let name = try name("a value")
            // Keywords first, as any other name is an enumeration's value.
            return name == "true" ? .bool(true) : name == "false" ? .bool(false) : .enum(name)
        case .integer, .fraction:
            let text = lexer.text(token.start, token.end)
            try advance()
            return .number(GraphQLNumber(checked: text))
        case .string, .blockString:
            let text = lexer.stringValue
            try advance()
            return .string(text)
        case .dollar:
            if isConstant { throw unexpected("a constant, because variables are not allowed here") }
            try advance()
            return .variable(try name("a variable's name"))
        case .openBracket: return try list(isConstant)
        case .openBrace: return try object(isConstant)
        default: throw unexpected("a value")
        }
    }

    private mutating func list(_ isConstant: Bool) throws(Lexer.Stop) -> GraphQLValue {
        try enter()
        var values: [GraphQLValue] = []
        while try !leave(.closeBracket) { values.append(try value(isConstant: isConstant)) }
        return .list(values)
    }

    private mutating func object(_ isConstant: Bool) throws(Lexer.Stop) -> GraphQLValue {
        try enter()
        var fields: [GraphQLArgument] = []
        // Unlike arguments, an object may be empty (§2.10.8).
        while try !leave(.closeBrace) {
            let name = try name("an object's field")
            try expect(.colon, "\":\" and the field's value")
            fields.append(GraphQLArgument(name, try value(isConstant: isConstant)))
        }
        return .object(GraphQLArguments(fields))
    }
}
