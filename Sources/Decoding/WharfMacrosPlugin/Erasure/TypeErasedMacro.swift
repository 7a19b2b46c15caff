#if Macros
import SwiftDiagnostics
public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@TypeErased`: adds a struct that wraps any conformer of a protocol.
public enum TypeErasedMacro: PeerMacro {
    /// Disabled, as the code is laid out already.
    public static var formatMode: FormatMode { .disabled }

    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let described = declaration.as(ProtocolDeclSyntax.self) else {
            let kind = declaration.asProtocol((any DeclGroupSyntax).self)?.introducer.text ?? "declaration"
            let problem = Problem(
                "kind", "'@\(node.plainName)' applies to a protocol, not to this \(kind)", at: node,
                fixIts: [.remove(node)])
            context.diagnose(problem.diagnostic)
            return []
        }
        let restated = node.labeled.compactMap(\.expression.metatypeBase).map { name in
            // `(any Store<Item>).self` names the protocol `Store`.
            let plain = name.hasPrefix("any ") ? String(name.dropFirst("any ".count)) : name
            return String(plain.prefix { $0 != "<" })
        }
        let model = ErasedProtocol(described, restated: Set(restated))
        for problem in model.problems { context.diagnose(problem.diagnostic) }
        return model.problems.isEmpty ? ["\(raw: ErasureCode(model: model).text)"] : []
    }
}
#endif
