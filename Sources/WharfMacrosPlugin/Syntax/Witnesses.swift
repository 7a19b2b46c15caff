#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// The conformances to write, and what of them is there already.
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

    /// The functions and initialisers of a type with the label of their first parameter,
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

    /// The user wrote this member of the type, which is left alone.
    func has(_ member: String) -> Bool { written.contains(member) }

    /// An extension that conforms to protocols as far as the type does not say so itself.
    func extensionDecl(
        _ roles: [String], where clause: String = "", _ body: (inout Code) -> Void
    ) -> ExtensionDeclSyntax? {
        var code = Code()
        let added = roles.filter(conformances.contains)
        let conformance = added.isEmpty ? "" : ": " + added.joined(separator: ", ")
        code.block("\(prefix)extension \(type)\(conformance)\(clause)", body)
        guard code.lines.count > 2 || !conformance.isEmpty else { return nil }
        return DeclSyntax("\(raw: code.text)").as(ExtensionDeclSyntax.self)
    }
}

extension String {
    /// `JSONDecodable` of `WharfJSON.JSONDecodable`.
    fileprivate var plainTypeName: String { String(split(separator: ".").last ?? "") }
}
#endif
