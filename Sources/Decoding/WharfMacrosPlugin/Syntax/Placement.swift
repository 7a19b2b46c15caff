#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension DeclGroupSyntax {
    /// Returns the problem of a private nested type.
    ///
    /// The extension is written at the top level of the file, where such a type can't be named.
    func placementProblem(in context: some MacroExpansionContext) -> Problem? {
        guard !context.lexicalContext.isEmpty,
            let modifier = modifiers.first(where: { $0.name.tokenKind == .keyword(.private) })
        else { return nil }
        let keyword = modifier.name
        return Problem(
            "privateType", "an extension can't name a private type inside another type; make it 'fileprivate'",
            at: modifier,
            fixIts: [
                .replace(
                    "makeFileprivate", "make it 'fileprivate'", keyword,
                    by: keyword.with(\.tokenKind, .keyword(.fileprivate)))
            ])
    }
}
#endif
