#if Macros
import SwiftDiagnostics
public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Polymorphic(discriminator:content:)`: makes an enumeration a tagged union.
public enum PolymorphicMacro: ExtensionMacro {
    /// Disabled, as the code is laid out already.
    public static var formatMode: FormatMode { .disabled }

    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let enumeration = declaration.as(EnumDeclSyntax.self) else {
            let kind = declaration.introducer.text
            let problem = Problem(
                "kind", "'@\(node.plainName)' applies to an enumeration with one payload per case, not to this \(kind)",
                at: node, fixIts: [.remove(node)])
            context.diagnose(problem.diagnostic)
            return []
        }
        var problems: [Problem] = []
        let model = PolymorphicModel(enumeration, node, &problems)
        if let problem = declaration.placementProblem(in: context) { problems.append(problem) }
        for problem in problems { context.diagnose(problem.diagnostic) }
        let witnesses = Witnesses(declaration, type: type, conformances: protocols)
        guard let model, problems.isEmpty else { return [] }
        return UnionCode(model).extensions(witnesses)
    }
}
#endif
