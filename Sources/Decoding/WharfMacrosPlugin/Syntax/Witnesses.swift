#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// The conformances to write, and the members that the type has already.
struct Witnesses {
    let type: String
    let prefix: String
    let access: String
    private let conformances: Set<String>
    private let written: Set<String>

    init(
        _ declaration: some DeclGroupSyntax, type: some TypeSyntaxProtocol, conformances: [TypeSyntax]
    ) {
        self.type = type.trimmedDescription
        prefix = declaration.extensionPrefix
        access = declaration.modifiers.witnessAccess
        self.conformances = Set(conformances.map { $0.trimmedDescription.plainTypeName })
        written = Self.written(in: declaration)
    }

    /// Returns the functions and initialisers of a type with their first label, as in
    /// `decode(from:)`.
    static func written(in declaration: some DeclGroupSyntax) -> Set<String> {
        Set(
            declaration.memberBlock.members.compactMap { member in
                let function = member.decl.as(FunctionDeclSyntax.self)
                let signature = function?.signature ?? member.decl.as(InitializerDeclSyntax.self)?.signature
                guard let label = signature?.parameterClause.parameters.first?.firstName.text else { return nil }
                return "\(function?.name.text ?? "init")(\(label):)"
            })
    }

    /// Returns whether the user wrote this member, which is then left alone.
    func has(_ member: String) -> Bool { written.contains(member) }

    /// Returns an extension with the conformances that the type does not declare itself.
    ///
    /// Nil if there is nothing to write.
    func extensionDecl(
        _ roles: [String], where clause: String = "", _ body: (inout Code) -> Void
    ) -> ExtensionDeclSyntax? {
        var code = Code()
        let added = roles.filter(conformances.contains)
        let conformance = added.isEmpty ? "" : ": " + added.joined(separator: ", ")
        code.block("\(prefix)extension \(type)\(conformance)\(clause)", body)
        // The head and the closing brace alone declare nothing.
        guard code.lines.count > 2 || !conformance.isEmpty else { return nil }
        return DeclSyntax("\(raw: code.text)").as(ExtensionDeclSyntax.self)
    }
}

extension String {
    /// The name without its module, as in `JSONDecodable` for `WharfJSON.JSONDecodable`.
    fileprivate var plainTypeName: String { String(split(separator: ".").last ?? "") }
}
#endif
