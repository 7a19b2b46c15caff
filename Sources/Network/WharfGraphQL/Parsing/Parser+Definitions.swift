extension Parser {
    mutating func document() throws(Lexer.Stop) -> GraphQLDocument {
        var definitions: [GraphQLDocument.Definition] = []
        // At least one definition: an empty document fails in `definition`.
        repeat { definitions.append(try definition()) } while kind != .end
        return GraphQLDocument(definitions)
    }

    private mutating func definition() throws(Lexer.Stop) -> GraphQLDocument.Definition {
        // The query shorthand.
        if kind == .openBrace {
            let selections = try selections()
            return .operation(GraphQLOperation(.query) { selections })
        }
        // Descriptions of executable definitions are new in September 2025.
        let description = try description()
        if lexer.isName("fragment") { return .fragment(try fragment(description)) }
        for kind in GraphQLOperation.Kind.allCases where lexer.isName(kind.keyword) {
            return .operation(try operation(kind, description))
        }
        // The shorthand can't have a description.
        if kind == .openBrace { throw unexpected("an operation's keyword, as it has a description") }
        // A schema gets an error of its own: it is the usual mistake.
        for keyword in Self.typeSystemKeywords where lexer.isName(keyword) {
            throw lexer.stop(
                .notExecutable, at: lexer.token.start,
                "expected an operation or a fragment, found \"\(keyword)\", which belongs in a schema")
        }
        throw unexpected("an operation or a fragment")
    }

    /// The keywords of type system definitions (GraphQL September 2025 §3).
    private static var typeSystemKeywords: [StaticString] {
        ["schema", "scalar", "type", "interface", "union", "enum", "input", "directive", "extend"]
    }

    private mutating func description() throws(Lexer.Stop) -> GraphQLString? {
        guard kind == .string || kind == .blockString else { return nil }
        let text = lexer.stringValue
        try advance()
        return text
    }

    private mutating func operation(
        _ operation: GraphQLOperation.Kind, _ description: GraphQLString?
    ) throws(Lexer.Stop) -> GraphQLOperation {
        try advance()
        let name = kind == .name ? try name("a name") : nil
        let variables = try variables()
        let directives = try directives(isConstant: false)
        let selections = try selections()
        return GraphQLOperation(
            operation, name, variables: variables, directives: directives, description: description
        ) { selections }
    }

    private mutating func variables() throws(Lexer.Stop) -> [GraphQLVariable] {
        guard try skip(.openParenthesis) else { return [] }
        var variables: [GraphQLVariable] = []
        // Empty parentheses are not allowed (§2.11).
        repeat { variables.append(try variable()) } while try !skip(.closeParenthesis)
        return variables
    }

    private mutating func variable() throws(Lexer.Stop) -> GraphQLVariable {
        let description = try description()
        try expect(.dollar, "a variable")
        let name = try name("a variable's name")
        try expect(.colon, "\":\" and the variable's type")
        let type = try type()
        // An optional keeps a missing default apart from a default of `null`. In an expression of
        // type `GraphQLValue`, `nil` would be the literal of `null`.
        var defaultValue: GraphQLValue?
        if try skip(.equals) { defaultValue = try value(isConstant: true) }
        return GraphQLVariable(
            name, type, default: defaultValue, directives: try directives(isConstant: true), description: description)
    }

    mutating func type() throws(Lexer.Stop) -> GraphQLType {
        let type: GraphQLType
        if kind == .openBracket {
            try enter()
            type = .list(try self.type())
            guard try leave(.closeBracket) else { throw unexpected("\"]\" after a list's type") }
        } else {
            type = .named(try name("a type"))
        }
        return try skip(.bang) ? .nonNull(type) : type
    }

    private mutating func fragment(_ description: GraphQLString?) throws(Lexer.Stop) -> GraphQLFragment {
        try advance()
        if lexer.isName("on") { throw unexpected("a fragment's name, which can't be \"on\"") }
        let name = try name("a fragment's name")
        guard lexer.isName("on") else { throw unexpected("\"on\" and the fragment's type") }
        try advance()
        let typeCondition = try self.name("the fragment's type")
        let directives = try directives(isConstant: false)
        let selections = try selections()
        return GraphQLFragment(
            name, on: typeCondition, directives: directives, description: description
        ) { selections }
    }
}

extension GraphQLOperation.Kind {
    var keyword: StaticString {
        switch self {
        case .query: "query"
        case .mutation: "mutation"
        case .subscription: "subscription"
        }
    }
}
