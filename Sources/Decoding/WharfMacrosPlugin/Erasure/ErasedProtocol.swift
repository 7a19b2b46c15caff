#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// A protocol to erase, with the problems that prevent it.
struct ErasedProtocol {
    /// A requirement that the box forwards to the wrapped value.
    enum Member {
        case function(FunctionDeclSyntax)
        case variable(VariableDeclSyntax)
        case `subscript`(SubscriptDeclSyntax)
    }

    let declaration: ProtocolDeclSyntax
    private(set) var members: [Member] = []
    private(set) var associatedTypes: [AssociatedTypeDeclSyntax] = []
    /// The string properties that inherited protocols of the standard library require.
    private(set) var inheritedProperties: [String] = []
    private(set) var problems: [Problem] = []

    /// The inherited protocols whose requirements this one repeats.
    private let restated: Set<String>

    /// - Parameter restated: the names of inherited protocols, from `restating:`.
    init(_ declaration: ProtocolDeclSyntax, restated: Set<String> = []) {
        self.declaration = declaration
        self.restated = restated
        for member in declaration.memberBlock.members { add(member.decl) }
        for inherited in declaration.inheritanceClause?.inheritedTypes ?? [] { check(inherited) }
        checkPrimaries()
    }

    /// The primary associated types, between `<` and `>`.
    var primaries: [String] { declaration.primaryAssociatedTypeClause?.primaryAssociatedTypes.map(\.name.text) ?? [] }

    /// Whether a requirement mutates the wrapped value.
    var isMutating: Bool { members.contains(where: \.isMutating) }

    /// Protocols without requirements, for which nothing is forwarded.
    private static let markers: Set<String> = ["Sendable", "SendableMetatype", "Swift.Sendable", "Error"]

    /// The one property that each of these standard protocols requires.
    private static let properties = [
        "CustomStringConvertible": "description", "CustomDebugStringConvertible": "debugDescription",
    ]

    private mutating func check(_ inherited: InheritedTypeSyntax) {
        let name = inherited.type.trimmedDescription
        // `Store` for `Store<Item>`.
        let plain = String(name.prefix { $0 != "<" })
        guard !Self.markers.contains(name), !restated.contains(plain) else { return }
        if let property = Self.properties[name] {
            // A restated property is forwarded as a member already. A second one would not compile.
            let isRestated = members.contains { $0.isVariable(named: property) }
            if !isRestated { inheritedProperties.append(property) }
            return
        }
        let own = declaration.name.text
        let message =
            ["AnyObject", "Actor", "class"].contains(name)
            ? "a struct can't be an object; write 'Any\(own)' by hand"
            : "the macro can't see the requirements of '\(name)'; restate them in '\(own)' and write "
                + "'@TypeErased(restating: (any \(plain)).self)', or write 'Any\(own)' by hand"
        problems.append(Problem("inheritance", message, at: inherited.type))
    }

    private mutating func add(_ member: DeclSyntax) {
        if let type = member.as(AssociatedTypeDeclSyntax.self) {
            associatedTypes.append(type)
        } else if let function = member.as(FunctionDeclSyntax.self) {
            add(.function(function), function.modifiers, function.name)
            check(function.signature.parameterClause, function.signature.returnClause, function.genericWhereClause)
        } else if let variable = member.as(VariableDeclSyntax.self) {
            add(.variable(variable), variable.modifiers, variable.bindings)
            for binding in variable.bindings { check(result: binding.typeAnnotation?.type) }
        } else if let found = member.as(SubscriptDeclSyntax.self) {
            add(.subscript(found), found.modifiers, found.subscriptKeyword)
            check(found.parameterClause, nil, found.genericWhereClause)
            check(result: found.returnClause.type)
        } else if let found = member.as(InitializerDeclSyntax.self) {
            refuse("initializer", "an initialiser", found.initKeyword)
        } else if let found = member.as(IfConfigDeclSyntax.self) {
            problems.append(Problem("condition", "a macro can't evaluate '#if'; move the requirement out", at: found))
        }
    }

    private mutating func add(_ member: Member, _ modifiers: DeclModifierListSyntax, _ node: some SyntaxProtocol) {
        members.append(member)
        if modifiers.isOfType { refuse("static", "a static requirement", node) }
    }

    private mutating func refuse(_ id: String, _ what: String, _ node: some SyntaxProtocol) {
        let message =
            "\(what) belongs to a type, but 'Any\(declaration.name.text)' holds a value of any type; "
            + "move it to a separate protocol"
        problems.append(Problem(id, message, at: node))
    }

    private mutating func check(
        _ parameters: FunctionParameterClauseSyntax, _ result: ReturnClauseSyntax?, _ clause: GenericWhereClauseSyntax?
    ) {
        for parameter in parameters.parameters {
            if let own = parameter.type.ownSelf {
                let message =
                    "a parameter of type 'Self' may have another type than the held value; use 'any' in its place"
                problems.append(Problem("selfParameter", message, at: own))
            }
            if let ellipsis = parameter.ellipsis {
                problems.append(
                    Problem("variadic", "a variadic parameter can't be forwarded; use an array", at: ellipsis))
            }
        }
        check(result: result?.type)
        if let own = clause?.ownSelf {
            problems.append(Problem("selfClause", "a condition on 'Self' can't be checked for the held value", at: own))
        }
    }

    private mutating func check(result: TypeSyntax?) {
        // `Self` alone is wrapped in a box again. Inside another type there is nothing to wrap.
        guard let result, !result.isSelf, let own = result.ownSelf else { return }
        problems.append(
            Problem("selfResult", "'Self' can be returned only by itself, not inside another type", at: own))
    }

    /// Refuses associated types that are not primary.
    ///
    /// Only the types between `<` and `>` are known of an existential.
    private mutating func checkPrimaries() {
        for type in associatedTypes where !primaries.contains(type.name.text) {
            // One fix-it per missing type. Each extends the list as it is now.
            let names = primaries + [type.name.text]
            let list = "<\(names.joined(separator: ", "))>"
            let name = declaration.name
            let fixIt: FixIt
            if let clause = declaration.primaryAssociatedTypeClause {
                fixIt = .replace(
                    "addPrimary", "write '\(name.text)\(list)'", clause,
                    by: TokenSyntax.identifier(list, trailingTrivia: clause.trailingTrivia))
            } else {
                fixIt = .replace(
                    "addPrimary", "write '\(name.text)\(list)'", name,
                    by: name.with(\.tokenKind, .identifier(name.text + list)))
            }
            let message =
                "'\(type.name.text)' is not a primary associated type, so 'Any\(name.text)' can't know it"
            problems.append(Problem("primary", message, at: type.name, fixIts: [fixIt]))
        }
    }
}

extension ErasedProtocol.Member {
    fileprivate func isVariable(named name: String) -> Bool {
        guard case .variable(let variable) = self else { return false }
        return variable.bindings.contains { $0.pattern.trimmedDescription == name }
    }

    fileprivate var isMutating: Bool {
        switch self {
        case .function(let function): function.modifiers.has(.mutating)
        case .variable(let variable): variable.bindings.contains { $0.accessorBlock?.assigns ?? false }
        case .subscript(let found): found.accessorBlock?.assigns ?? false
        }
    }
}

extension AccessorBlockSyntax {
    fileprivate var assigns: Bool {
        guard case .accessors(let list) = accessors else { return false }
        return list.contains { accessor in
            let modifier = accessor.modifier?.name.tokenKind
            // A setter mutates unless it says otherwise; a getter only if it says so.
            return modifier == .keyword(.mutating)
                || accessor.accessorSpecifier.tokenKind == .keyword(.set) && modifier != .keyword(.nonmutating)
        }
    }
}

extension SyntaxProtocol {
    /// The first `Self` that is not a prefix of an associated type.
    fileprivate var ownSelf: TokenSyntax? {
        tokens(viewMode: .sourceAccurate).first { token in
            token.tokenKind == .keyword(.Self)
                && token.nextToken(viewMode: .sourceAccurate)?.tokenKind != .period
        }
    }
}

extension TypeSyntax {
    var isSelf: Bool { trimmedDescription == "Self" }
}
#endif
