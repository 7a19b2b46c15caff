#if Macros
import SwiftSyntax

/// The struct that wraps any conformer of a protocol and forwards everything to it.
struct ErasureCode {
    let model: ErasedProtocol

    private var name: String { "Any" + model.declaration.name.text }
    private var access: String { model.declaration.modifiers.witnessAccess }

    /// The protocol with its primary types, as in `Fetchable<FetchType>`.
    private var erased: String {
        let primaries = model.primaries
        return model.declaration.name.text + (primaries.isEmpty ? "" : "<\(primaries.joined(separator: ", "))>")
    }

    var text: String {
        var code = Code()
        code.block("\(attributes)\(modifiers)struct \(name)\(generics): \(model.declaration.name.text)\(conditions)") {
            code in
            code.line("private \(model.isMutating ? "var" : "let") base: any \(erased)")
            code.line("")
            code.block("\(access)init(_ base: some \(erased))") { $0.line("self.base = base") }
            for member in model.members {
                code.line("")
                write(member, to: &code)
            }
            for property in model.inheritedProperties {
                code.line("")
                code.block("\(access)var \(property): String") { $0.line("base.\(property)") }
            }
        }
        return code.text
    }

    private var attributes: String {
        model.declaration.attributes.compactMap { element -> String? in
            guard case .attribute(let attribute) = element, attribute.plainName != "TypeErased" else { return nil }
            return attribute.trimmedDescription + "\n"
        }.joined()
    }

    private var modifiers: String { model.declaration.modifiers.map { $0.trimmedDescription + " " }.joined() }

    private var generics: String {
        guard !model.primaries.isEmpty else { return "" }
        let parameters = model.primaries.map { primary in
            let type = model.associatedTypes.first { $0.name.text == primary }
            let bounds = type?.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
            return primary + (bounds.isEmpty ? "" : ": " + bounds.joined(separator: " & "))
        }
        return "<\(parameters.joined(separator: ", "))>"
    }

    private var conditions: String {
        let clauses = model.associatedTypes.map(\.genericWhereClause) + [model.declaration.genericWhereClause]
        let requirements = clauses.flatMap { $0?.requirements.map(\.requirement.trimmedDescription) ?? [] }
        return requirements.isEmpty ? "" : " where " + requirements.joined(separator: ", ")
    }

    private func write(_ member: ErasedProtocol.Member, to code: inout Code) {
        switch member {
        case .function(let function): write(function, to: &code)
        case .variable(let variable):
            for binding in variable.bindings {
                let head = "\(prefix(variable.attributes, variable.modifiers))var \(binding.trimmedHead)"
                let name = binding.pattern.trimmedDescription
                write(head, "base.\(name)", binding.accessorBlock, binding.typeAnnotation?.type, to: &code)
            }
        case .subscript(let found):
            let head = found.with(\.accessorBlock, nil).with(\.attributes, []).with(\.modifiers, []).trimmedDescription
            let access = "base[\(found.parameterClause.arguments(ofSubscript: true))]"
            write(
                prefix(found.attributes, found.modifiers) + head, access, found.accessorBlock, found.returnClause.type,
                to: &code)
        }
    }

    private func write(_ function: FunctionDeclSyntax, to code: inout Code) {
        let signature = function.signature
        let head = function.with(\.attributes, []).with(\.modifiers, []).trimmedDescription
        let call = "base.\(function.name.text)(\(signature.parameterClause.arguments(ofSubscript: false)))"
        code.block(prefix(function.attributes, function.modifiers) + head) { code in
            let effects = signature.effectSpecifiers
            code.line(
                marks(effects?.asyncSpecifier, effects?.throwsClause) + boxed(call, signature.returnClause?.type))
        }
    }

    private func write(
        _ head: String, _ value: String, _ accessors: AccessorBlockSyntax?, _ type: TypeSyntax?, to code: inout Code
    ) {
        code.block(head) { code in
            guard case .accessors(let list)? = accessors?.accessors else { return }
            for accessor in list {
                let effects = accessor.effectSpecifiers
                let before = accessor.modifier.map { $0.trimmedDescription + " " } ?? ""
                let after = effects.map { " " + $0.trimmedDescription } ?? ""
                if accessor.accessorSpecifier.tokenKind == .keyword(.set) {
                    code.line("\(before)set { \(value) = newValue }")
                } else {
                    let marks = marks(effects?.asyncSpecifier, effects?.throwsClause)
                    code.line("\(before)get\(after) { \(marks)\(boxed(value, type)) }")
                }
            }
        }
    }

    /// Returns the attributes, access and modifiers before a member.
    private func prefix(_ attributes: AttributeListSyntax, _ modifiers: DeclModifierListSyntax) -> String {
        let attributes = attributes.map { $0.trimmedDescription + " " }.joined()
        return attributes + access + modifiers.map { $0.trimmedDescription + " " }.joined()
    }

    private func marks(_ async: TokenSyntax?, _ throwing: ThrowsClauseSyntax?) -> String {
        // `throws(Never)` throws nothing, and `try` before such a call would be a warning.
        let throwsNothing = throwing == nil || throwing?.type?.trimmedDescription == "Never"
        return (throwsNothing ? "" : "try ") + (async == nil ? "" : "await ")
    }

    /// Wraps a result of type `Self` in a box again.
    private func boxed(_ expression: String, _ type: TypeSyntax?) -> String {
        type?.isSelf == true ? "Self(\(expression))" : expression
    }
}

extension PatternBindingSyntax {
    fileprivate var trimmedHead: String { with(\.accessorBlock, nil).trimmedDescription }
}

extension FunctionParameterClauseSyntax {
    /// Returns the arguments of a call that forwards all parameters.
    ///
    /// A parameter of a subscript has a label only if it has two names.
    fileprivate func arguments(ofSubscript: Bool) -> String {
        parameters.map { parameter in
            let name = (parameter.secondName ?? parameter.firstName).readName
            // `_ name` has no label. In a subscript a single name is none either.
            let isLabeled = parameter.firstName.tokenKind != .wildcard && (!ofSubscript || parameter.secondName != nil)
            let attributed = parameter.type.as(AttributedTypeSyntax.self)
            let isInout = attributed?.specifiers.contains { $0.trimmedDescription == "inout" } ?? false
            // The autoclosure was received as a closure, so it is called to be forwarded.
            let isDeferred = attributed?.attributes.first(named: "autoclosure") != nil
            let label = isLabeled ? "\(parameter.firstName.text): " : ""
            return label + (isInout ? "&" : "") + name + (isDeferred ? "()" : "")
        }.joined(separator: ", ")
    }
}
#endif
