#if Macros
import SwiftDiagnostics
public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Interface`: adds the members that let a struct of closures stand for a service.
public enum InterfaceMacro: MemberMacro {
    /// Disabled, as the code is laid out already.
    public static var formatMode: FormatMode { .disabled }

    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let model = InterfaceModel(declaration, node)
        for problem in model.problems { context.diagnose(problem.diagnostic) }
        guard model.problems.isEmpty, let described = declaration.as(StructDeclSyntax.self) else { return [] }
        let outer = context.lexicalContext.reversed().compactMap {
            $0.asProtocol((any NamedDeclSyntax).self)?.name.text
        }
        // A nested type is named by its outer types, or by the type that an extension around it
        // extends.
        let extended = context.lexicalContext.reversed().compactMap {
            $0.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
        }
        let name = (extended + outer + [described.name.text]).joined(separator: ".")
        return InterfaceCode(model: model, name: name, access: described.modifiers.witnessAccess).members
    }
}
#endif
