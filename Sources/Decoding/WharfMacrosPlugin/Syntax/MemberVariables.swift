#if Macros
import SwiftSyntax

extension DeclGroupSyntax {
    /// The variables among the members, in declaration order.
    ///
    /// For a variable inside `#if` a macro can't know whether it is active.
    var memberVariables: [(variable: VariableDeclSyntax, isConditional: Bool)] {
        memberBlock.members.flatMap { member in
            if let variable = member.decl.as(VariableDeclSyntax.self) { return [(variable, false)] }
            let clauses = member.decl.as(IfConfigDeclSyntax.self)?.clauses
            return (clauses.map(Array.init) ?? []).flatMap { clause -> [(VariableDeclSyntax, Bool)] in
                guard case .decls(let members)? = clause.elements else { return [] }
                return members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.map { ($0, true) }
            }
        }
    }
}
#endif
