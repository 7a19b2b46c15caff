#if Macros
import SwiftParser
import SwiftSyntax

extension DeclModifierListSyntax {
    /// The access that witnesses need, with a blank behind it: a public type's are public, others
    /// need to say nothing.
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
        contains { $0.name.tokenKind == .keyword(keyword) && $0.detail == nil }
    }

    /// `static` or `class`.
    var isOfType: Bool { has(.static) || has(.class) }
}

extension DeclGroupSyntax {
    /// A type that was taken out of the default isolation keeps out of it in its extensions.
    var extensionPrefix: String { modifiers.has(.nonisolated) ? "nonisolated " : "" }
}

extension TokenSyntax {
    /// The name without backticks.
    var plainName: String { identifier?.name ?? text }

    /// The name as an expression reads it: `for` may be a parameter's name, and is read in
    /// backticks.
    var readName: String {
        text.hasPrefix("`") || text.isValidSwiftIdentifier(for: .variableName) ? text : "`\(text)`"
    }
}
#endif
