#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// The endpoints of an interface in declaration order, with their problems.
struct InterfaceModel {
    private(set) var endpoints: [InterfaceEndpoint] = []
    private(set) var problems: [Problem] = []
    /// `UserService` of `of: UserService.self`.
    let service: String?
    /// The type aliases declared in the struct; a macro sees no others.
    private let aliases: [String: TypeSyntax]

    init(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) {
        let argument = node.argument("of")
        service = argument?.metatypeBase
        aliases = declaration.aliases
        guard declaration.is(StructDeclSyntax.self) else {
            let kind = declaration.introducer.text
            problems = [
                Problem(
                    "kind", "'@\(node.plainName)' applies to a struct of closures, not to this \(kind)", at: node,
                    fixIts: [.remove(node)])
            ]
            return
        }
        if let argument, service == nil {
            problems.append(
                Problem("service", "name the service by its type, as in 'UserService.self'", at: argument))
        }
        for (variable, isConditional) in declaration.memberVariables {
            if isConditional { refuse(variable) } else { add(variable) }
        }
    }

    private mutating func add(_ variable: VariableDeclSyntax) {
        let mark = variable.attributes.first(named: "Endpoint")
        guard !variable.modifiers.isOfType, !variable.bindings.contains(where: \.isComputed) else {
            guard let mark else { return }
            problems.append(
                Problem(
                    "notStored", "'@Endpoint' applies to stored properties; this property is not stored", at: mark,
                    fixIts: [.remove(mark)]))
            return
        }
        guard let binding = variable.bindings.first, variable.bindings.count == 1,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        else {
            problems.append(
                Problem("tuple", "an endpoint has one name; declare these separately", at: variable.bindings))
            return
        }
        let keyword = variable.bindingSpecifier
        guard keyword.tokenKind == .keyword(.let) else {
            problems.append(
                Problem(
                    "variable",
                    "an endpoint must be a constant; 'overriding(\(name):)' returns a copy with another one",
                    at: keyword,
                    fixIts: [
                        .replace(
                            "makeConstant", "make it a 'let'", keyword, by: keyword.with(\.tokenKind, .keyword(.let)))
                    ]))
            return
        }
        if let initializer = binding.initializer {
            problems.append(
                Problem(
                    "value",
                    "'\(name)' has its value already, so no other can be given; give '@Endpoint(default:)' the value "
                        + "for a missing implementation", at: initializer))
            return
        }
        // The compiler reports a constant with neither type nor value.
        guard let type = binding.typeAnnotation?.type else { return }
        add(name, type, mark, binding, of: variable)
    }

    private mutating func add(
        _ name: String, _ type: TypeSyntax, _ mark: AttributeSyntax?, _ binding: PatternBindingSyntax,
        of variable: VariableDeclSyntax
    ) {
        let closure = ClosureShape(resolved(type))
        let standIn = mark?.argument("default")
        var method = name
        if let argument = mark?.labeled.first(where: { $0.label == nil })?.expression {
            guard let text = argument.stringValue else {
                problems.append(
                    Problem("literal", "a name must be a string literal, because macros see no values", at: argument)
                )
                return
            }
            method = text
        }
        let endpoint = InterfaceEndpoint(
            name: name, type: type.trimmed, closure: closure, method: method, standIn: standIn,
            documentation: variable.documentation)
        problems += closure.map { check($0, endpoint, binding, variable) } ?? check(endpoint, binding, variable)
        endpoints.append(endpoint)
    }

    /// Returns the type behind an alias, or the type itself.
    private func resolved(_ type: TypeSyntax) -> TypeSyntax {
        var type = type
        // Each alias is followed once, so that the loop ends on two aliases that name each other.
        // The compiler reports those.
        var left = aliases
        while let name = type.plainName, let target = left.removeValue(forKey: name) { type = target }
        return type
    }

    /// Refuses an endpoint inside `#if`: a macro sees all branches, but can't tell which is active.
    private mutating func refuse(_ variable: VariableDeclSyntax) {
        guard !variable.modifiers.isOfType, !variable.bindings.contains(where: \.isComputed) else { return }
        problems.append(Problem("condition", "a macro can't evaluate '#if'; move the endpoint out", at: variable))
    }
}

extension DeclGroupSyntax {
    fileprivate var aliases: [String: TypeSyntax] {
        let declarations = memberBlock.members.compactMap { $0.decl.as(TypeAliasDeclSyntax.self) }
            .filter { $0.genericParameterClause == nil }
        return Dictionary(declarations.map { ($0.name.text, $0.initializer.value) }) { first, _ in first }
    }
}

extension TypeSyntax {
    /// The name of a plain type: `Load` for `Load` and `Self.Load`.
    ///
    /// Nil for a type with generic arguments, or a member of another type.
    fileprivate var plainName: String? {
        if let member = self.as(MemberTypeSyntax.self) {
            return member.baseType.isSelf && member.genericArgumentClause == nil ? member.name.text : nil
        }
        let plain = self.as(IdentifierTypeSyntax.self)
        return plain?.genericArgumentClause == nil ? plain?.name.text : nil
    }
}

extension VariableDeclSyntax {
    /// The lines of its documentation.
    fileprivate var documentation: [String] {
        leadingTrivia.compactMap { piece in
            if case .docLineComment(let text) = piece { text } else { nil }
        }
    }
}
#endif
