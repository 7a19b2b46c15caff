import WharfChecks

@testable import WharfGraphQL

/// Documents with every production of the grammar.
extension Generator where Value == GraphQLDocument {
    static var document: Generator {
        Generator<[GraphQLDocument.Definition]>
            .array(
                of: .oneOf(
                    Generator<GraphQLOperation>.operation.map { .operation($0) },
                    Generator<GraphQLFragment>.fragment.map { .fragment($0) }), count: 1...3
            )
            .map { GraphQLDocument($0) }
    }
}

extension Generator where Value == GraphQLOperation {
    static var operation: Generator {
        Generator { choices in
            let selections = try choices.draw(.selections(depth: 2))
            return GraphQLOperation(
                try choices.draw(.anyCase()), try choices.draw(.optional(.name())),
                variables: try choices.draw(.array(of: .variable, count: 0...3)),
                directives: try choices.draw(.directives(depth: 2, isConstant: false)),
                description: try choices.draw(.rarely(.text))
            ) { selections }
        }
    }
}

extension Generator where Value == GraphQLFragment {
    static var fragment: Generator {
        Generator { choices in
            let selections = try choices.draw(.selections(depth: 2))
            return GraphQLFragment(
                try choices.draw(.name(except: ["on"])), on: try choices.draw(.name()),
                directives: try choices.draw(.directives(depth: 1, isConstant: false)),
                description: try choices.draw(.rarely(.text))
            ) { selections }
        }
    }
}

extension Generator where Value == GraphQLVariable {
    static var variable: Generator {
        Generator { choices in
            GraphQLVariable(
                try choices.draw(.name()), try choices.draw(.type(depth: 3)),
                default: try choices.draw(.optional(.value(depth: 3, isConstant: true))),
                directives: try choices.draw(.directives(depth: 2, isConstant: true)),
                description: try choices.draw(.rarely(.text)))
        }
    }
}

extension Generator where Value == GraphQLType {
    static func type(depth: Int) -> Generator {
        let named = Generator<String>.name().map { GraphQLType.named($0) }
        let nullable = depth == 0 ? named : .oneOf(named, Generator.type(depth: depth - 1).map { .list($0) })
        return .oneOf(nullable, nullable.map { if case .nonNull = $0 { $0 } else { .nonNull($0) } })
    }
}

extension Generator where Value == [GraphQLDirective] {
    static func directives(depth: Int, isConstant: Bool) -> Generator {
        .array(
            of: Generator<GraphQLDirective> { choices in
                GraphQLDirective(
                    try choices.draw(.name()), try choices.draw(.arguments(depth: depth, isConstant: isConstant)))
            }, count: 0...1)
    }
}

extension Generator where Value == [GraphQLSelection] {
    static func selections(depth: Int) -> Generator { .array(of: .selection(depth: depth), count: 1...3) }
}

extension Generator where Value == GraphQLSelection {
    static func selection(depth: Int) -> Generator {
        let field = Generator { choices in
            let isLeaf = try depth == 0 || choices.draw(.bool)
            let selections = isLeaf ? [] : try choices.draw(.selections(depth: depth - 1))
            return .field(
                GraphQLField(
                    alias: try choices.draw(.rarely(.name())), try choices.draw(.name()),
                    try choices.draw(.arguments(depth: 3, isConstant: false)),
                    directives: try choices.draw(.directives(depth: 1, isConstant: false))
                ) { selections })
        }
        let spread = Generator { choices in
            .fragmentSpread(
                GraphQLFragmentSpread(
                    try choices.draw(.name(except: ["on"])),
                    directives: try choices.draw(.directives(depth: 1, isConstant: false))))
        }
        guard depth > 0 else { return .oneOf(field, spread) }
        let inline = Generator { choices in
            let selections = try choices.draw(.selections(depth: depth - 1))
            return .inlineFragment(
                GraphQLInlineFragment(
                    on: try choices.draw(.optional(.name())),
                    directives: try choices.draw(.directives(depth: 1, isConstant: false))
                ) { selections })
        }
        return .frequency((4, field), (1, spread), (1, inline))
    }
}

extension Generator where Value == GraphQLArguments {
    static func arguments(depth: Int, isConstant: Bool) -> Generator {
        Generator<[GraphQLArgument]>
            .array(
                of: Generator<GraphQLArgument> { choices in
                    GraphQLArgument(
                        try choices.draw(.name()), try choices.draw(.value(depth: depth, isConstant: isConstant)))
                }, count: 0...3
            )
            .map { GraphQLArguments($0) }
    }
}

extension Generator where Value == GraphQLValue {
    static func value(depth: Int, isConstant: Bool) -> Generator {
        let scalar = Generator.oneOf(
            .just(.null), Generator<Bool>.bool.map { .bool($0) }, Generator<GraphQLNumber>.number.map { .number($0) },
            Generator<GraphQLString>.text.map { .string($0) },
            Generator<String>.name(except: ["true", "false", "null"]).map { .enum($0) },
            isConstant ? .just(.null) : Generator<String>.name().map { .variable($0) })
        guard depth > 0 else { return scalar }
        return .frequency(
            (3, scalar),
            (
                1,
                Generator<[GraphQLValue]>
                    .array(of: .value(depth: depth - 1, isConstant: isConstant), count: 0...6).map { .list($0) }
            ),
            (1, Generator<GraphQLArguments>.arguments(depth: depth - 1, isConstant: isConstant).map { .object($0) }))
    }
}

extension Generator where Value == GraphQLNumber {
    static var number: Generator {
        .oneOf(
            Generator<Int>.int(in: .min...(.max)).map { GraphQLNumber($0) },
            Generator<UInt64>.int(in: 0...(.max)).map { Double(bitPattern: $0) }.filter { $0.isFinite }
                .map { GraphQLNumber($0) },
            .element(
                of: ["-0", "0.50", "1E+07", "-12.5e-3", "123456789012345678901234567890"]
                    .compactMap { GraphQLNumber($0) }))
    }
}

extension Generator where Value == GraphQLString {
    /// Makes a block string only if it can be printed as one.
    static var text: Generator {
        let lines = Generator<[String]>
            .array(
                of: .oneOf(.string(count: 0...20), .element(of: ["", " ", "  a", "\ta", "a\"", "\\", "\"\"\""])),
                count: 0...4
            )
            .map { $0.joined(separator: "\n") }
        return Generator<(String, Bool)>.zip(.oneOf(.string(count: 0...12), lines), .bool)
            .map { text, isBlock in GraphQLString(text, isBlock: isBlock && BlockString.canHold(text)) }
    }
}

extension Generator where Value == String {
    static func name(except forbidden: Set<String> = []) -> Generator {
        let letters = Array("abcdefgxyzABCXYZ_".unicodeScalars)
        let digits = Array("0129".unicodeScalars)
        let made = Generator<(String, String)>
            .zip(
                .string(of: .element(of: letters), count: 1...1),
                .string(of: .element(of: letters + digits), count: 0...20)
            )
            .map { $0 + $1 }
        let keywords = ["on", "query", "fragment", "true", "false", "null", "type", "mutation", "__typename", "input"]
        return .frequency((5, made), (1, .element(of: keywords.filter { !forbidden.contains($0) })))
    }
}

extension Generator {
    static func rarely<Wrapped: Sendable>(_ wrapped: Generator<Wrapped>) -> Generator<Wrapped?>
    where Value == Wrapped? {
        .frequency((4, Generator { _ in nil }), (1, wrapped.map { $0 }))
    }
}
