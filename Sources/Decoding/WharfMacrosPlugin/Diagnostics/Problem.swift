#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// An error in a declaration, with its place and fix-its.
struct Problem {
    let message: String
    let id: String
    let node: Syntax
    var fixIts: [FixIt] = []

    init(_ id: String, _ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
        self.id = id
        self.message = message
        self.node = Syntax(node)
        self.fixIts = fixIts
    }

    var diagnostic: Diagnostic {
        Diagnostic(node: node, message: Message(message: message, id: id), fixIts: fixIts)
    }

    private struct Message: DiagnosticMessage {
        let message: String
        let id: String
        var diagnosticID: MessageID { MessageID(domain: "WharfMacros", id: id) }
        var severity: DiagnosticSeverity { .error }
    }
}
#endif
