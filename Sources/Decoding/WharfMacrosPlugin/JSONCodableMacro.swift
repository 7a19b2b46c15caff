#if Macros
public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@JSONCodable`: reads and writes a struct, a final class or an enumeration.
public enum JSONCodableMacro: ExtensionMacro {
    /// Disabled, as the code is laid out already.
    public static var formatMode: FormatMode { .disabled }

    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let witnesses = Witnesses(declaration, type: type, conformances: protocols)
        var (extensions, problems) = expand(node, declaration, witnesses)
        if let problem = declaration.placementProblem(in: context) { problems.append(problem) }
        for problem in problems { context.diagnose(problem.diagnostic) }
        return problems.isEmpty ? extensions : []
    }

    private static func expand(
        _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, _ witnesses: Witnesses
    ) -> ([ExtensionDeclSyntax], [Problem]) {
        if let enumeration = declaration.as(EnumDeclSyntax.self) {
            var problems: [Problem] = []
            let coding = EnumCoding(enumeration, node, &problems)
            return (coding.map { $0.extensions(witnesses) } ?? [], problems)
        }
        let model = ObjectModel(declaration, node)
        return (model.extensions(witnesses), model.problems)
    }
}

extension JSONCodableMacro: MemberMacro {
    /// Adds the initialiser of a class.
    ///
    /// An initialiser in an extension can't assign constants.
    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else { return [] }
        let model = ObjectModel(declaration, node)
        // The expansion of the extension reports them.
        guard model.problems.isEmpty else { return [] }
        return model.classMembers
    }
}
#endif
