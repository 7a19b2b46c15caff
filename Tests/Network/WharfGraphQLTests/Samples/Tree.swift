import WharfGraphQL
import WharfJSON

/// A document as JSON, in the form that the script in the folder graphqlcore makes from
/// graphql-core's tree.
enum Tree {
    static func of(_ document: GraphQLDocument) -> JSONValue {
        JSONValue(.array(document.definitions.map(of)))
    }

    private static func of(_ definition: GraphQLDocument.Definition) -> JSONValue {
        switch definition {
        case .operation(let operation):
            [
                "name": text(operation.name), "directives": of(operation.directives),
                "selections": list(operation.selections, of), "description": of(operation.description),
                "operation": text(operation.kind.rawValue), "variables": list(operation.variables, of),
            ]
        case .fragment(let fragment):
            [
                "name": text(fragment.name), "directives": of(fragment.directives),
                "selections": list(fragment.selections, of), "description": of(fragment.description),
                "on": text(fragment.typeCondition),
            ]
        }
    }

    private static func of(_ variable: GraphQLVariable) -> JSONValue {
        [
            "name": text(variable.name), "type": text(of(variable.type)),
            "default": variable.defaultValue.map(of) ?? nil,
            "directives": of(variable.directives), "description": of(variable.description),
        ]
    }

    private static func of(_ type: GraphQLType) -> String {
        switch type {
        case .named(let name): name
        case .list(let element): "[\(of(element))]"
        case .nonNull(let type): "\(of(type))!"
        }
    }

    private static func of(_ selection: GraphQLSelection) -> JSONValue {
        switch selection {
        case .field(let field):
            [
                "kind": "field", "directives": of(field.directives), "alias": text(field.alias),
                "name": text(field.name),
                "arguments": of(field.arguments), "selections": list(field.selections, of),
            ]
        case .fragmentSpread(let spread):
            ["kind": "fragment_spread", "directives": of(spread.directives), "name": text(spread.name)]
        case .inlineFragment(let fragment):
            [
                "kind": "inline_fragment", "directives": of(fragment.directives), "on": text(fragment.typeCondition),
                "selections": list(fragment.selections, of),
            ]
        }
    }

    private static func of(_ directives: [GraphQLDirective]) -> JSONValue {
        list(directives) { ["name": text($0.name), "arguments": of($0.arguments)] }
    }

    private static func of(_ arguments: GraphQLArguments) -> JSONValue {
        list(arguments.elements) { [text($0.name), of($0.value)] }
    }

    private static func of(_ value: GraphQLValue) -> JSONValue {
        switch value {
        case .null: ["null": true]
        case .bool(let value): ["bool": JSONValue(.bool(value))]
        case .number(let number): ["number": text(number.text)]
        case .string(let string): ["string": of(string)]
        case .enum(let name): ["enum": text(name)]
        case .variable(let name): ["variable": text(name)]
        case .list(let values): ["list": list(values, of)]
        case .object(let fields): ["object": of(fields)]
        }
    }

    private static func of(_ string: GraphQLString?) -> JSONValue {
        guard let string else { return nil }
        return ["text": text(string.text), "block": JSONValue(.bool(string.isBlock))]
    }

    private static func text(_ text: String?) -> JSONValue { text.map { JSONValue(.string($0)) } ?? nil }

    private static func list<Element>(_ elements: [Element], _ tree: (Element) -> JSONValue) -> JSONValue {
        JSONValue(.array(elements.map(tree)))
    }
}
