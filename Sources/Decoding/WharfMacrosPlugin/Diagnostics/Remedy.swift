#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension FixIt {
    private struct Message: FixItMessage {
        let message: String
        let id: String
        var fixItID: MessageID { MessageID(domain: "WharfMacros", id: id) }
    }

    static func remedy(_ id: String, _ message: String, _ changes: [FixIt.Change]) -> FixIt {
        FixIt(message: Message(message: message, id: id), changes: changes)
    }

    static func replace(
        _ id: String, _ message: String, _ old: some SyntaxProtocol, by new: some SyntaxProtocol
    ) -> FixIt {
        remedy(id, message, [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }
}

extension FixIt {
    /// Adds `final` before a class.
    static func addFinal(to declaration: ClassDeclSyntax) -> FixIt {
        let keyword = declaration.classKeyword
        // One token with both words, so that comments and modifiers around it stay.
        let final = keyword.with(\.tokenKind, .identifier("final class"))
        return replace("addFinal", "add 'final'", keyword, by: final)
    }

    /// Adds `= <#default#>` after a binding.
    static func addDefault(to binding: PatternBindingSyntax) -> FixIt {
        let initializer = InitializerClauseSyntax(
            equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
            value: EditorPlaceholderExprSyntax(placeholder: .identifier("<#default#>"))
        )
        let changed = binding.trimmed.with(\.initializer, initializer)
        return replace(
            "addDefault", "add a default", binding,
            by: changed.with(\.leadingTrivia, binding.leadingTrivia).with(\.trailingTrivia, binding.trailingTrivia)
        )
    }

    /// Adds `: <#Type#>` after the name.
    static func addType(to binding: PatternBindingSyntax) -> FixIt {
        let annotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space),
            type: IdentifierTypeSyntax(name: .identifier("<#Type#>"))
        )
        // The blank after the name moves behind the type.
        let changed = binding.with(\.pattern, binding.pattern.with(\.trailingTrivia, []))
            .with(\.typeAnnotation, annotation.with(\.trailingTrivia, binding.pattern.trailingTrivia))
        return replace("addType", "add its type", binding, by: changed)
    }

    /// Removes an attribute and the blank after it.
    static func remove(_ attribute: AttributeSyntax) -> FixIt {
        replace(
            "removeAttribute", "remove '@\(attribute.plainName)'", attribute,
            by: TokenSyntax.identifier("", leadingTrivia: attribute.leadingTrivia)
        )
    }
}
#endif
