#if Macros
import SwiftParser
import SwiftSyntax

extension DeclModifierListSyntax {
    /// The access that witnesses need, followed by a blank.
    ///
    /// A public type's witnesses must be public; others need no modifier.
    var witnessAccess: String {
        for modifier in self {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            default: continue
            }
        }
        return ""
    }

    func has(_ keyword: Keyword) -> Bool {
        // `private(set)` has a detail, and does not make the member private.
        contains { $0.name.tokenKind == .keyword(keyword) && $0.detail == nil }
    }

    /// Whether the member is `static` or `class`.
    var isOfType: Bool { has(.static) || has(.class) }
}

extension DeclGroupSyntax {
    /// The prefix that keeps extensions of a `nonisolated` type out of the default isolation.
    var extensionPrefix: String { modifiers.has(.nonisolated) ? "nonisolated " : "" }
}

extension TokenSyntax {
    /// The name without backticks.
    var plainName: String { identifier?.name ?? text }

    /// The name as written in an expression.
    ///
    /// `for` may name a parameter, but an expression needs backticks.
    var readName: String {
        text.hasPrefix("`") || text.isValidSwiftIdentifier(for: .variableName) ? text : "`\(text)`"
    }
}
#endif
