#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// A struct or class as a JSON object.
struct ObjectModel {
    private(set) var problems: [Problem] = []
    private let tree: FieldTree
    private let requirements: Requirements
    private let isClass: Bool
    /// Whether the class has an implicit initialiser without parameters.
    ///
    /// It loses that initialiser when it gets another.
    private let losesInitializer: Bool
    private let isWritten: Bool

    init(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) {
        let list = PropertyList(of: declaration, keys: KeyStyle(node, &problems))
        problems += list.problems
        tree = FieldTree(list.properties, &problems)
        let generics = declaration.as(StructDeclSyntax.self)?.genericParameterClause
        let described = declaration.as(ClassDeclSyntax.self)
        requirements = Requirements(
            list.properties.filter { $0.format == nil }.map(\.type.syntax),
            parameters: generics ?? described?.genericParameterClause)
        isClass = described != nil
        let hasInitializer = declaration.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
        losesInitializer = isClass && !hasInitializer && list.properties.allSatisfy(\.startsWithValue)
        isWritten = Witnesses.written(in: declaration).contains("decode(from:)")
        // The wrong kind of declaration makes all other findings meaningless.
        if let problem = Self.refusal(declaration, node) { problems = [problem] }
    }

    private static func refusal(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) -> Problem? {
        if declaration.is(StructDeclSyntax.self) { return nil }
        guard let described = declaration.as(ClassDeclSyntax.self) else {
            let kind = declaration.introducer.text
            return Problem(
                "kind",
                "'@\(node.plainName)' applies to a struct, a final class or an enumeration, not to this \(kind)",
                at: node, fixIts: [.remove(node)])
        }
        guard !described.modifiers.has(.final) else { return nil }
        let fixIts: [FixIt] = described.modifiers.has(.open) ? [] : [.addFinal(to: described)]
        return Problem(
            "final",
            "a class that is read from JSON must be final: a subclass would be read without its own properties",
            at: described.name, fixIts: fixIts)
    }

    func extensions(_ witnesses: Witnesses) -> [ExtensionDeclSyntax] {
        let decodable = witnesses.extensionDecl(["JSONDecodable"], where: requirements.clause("JSONDecodable")) {
            code in
            guard !witnesses.has("decode(from:)") else { return }
            code.block("\(witnesses.access)static func decode(from json: inout JSONReader) -> Self?") { code in
                code.line("Self(json: &json)")
            }
            // The initialiser of a class is a member, as one in an extension can't assign
            // constants.
            guard !isClass else { return }
            code.line("")
            writeInitializer(to: &code)
        }
        let encodable = witnesses.extensionDecl(["JSONEncodable"], where: requirements.clause("JSONEncodable")) {
            code in
            guard !witnesses.has("encode(into:)") else { return }
            code.block("\(witnesses.access)func encode(into json: inout JSONWriter)") { code in
                WritingBody(tree: tree).write(to: &code)
            }
        }
        return [decodable, encodable].compactMap(\.self)
    }

    var classMembers: [DeclSyntax] {
        guard !isWritten else { return [] }
        var code = Code()
        writeInitializer(where: requirements.clause("JSONDecodable"), to: &code)
        let reading = DeclSyntax("\(raw: code.text)")
        return losesInitializer ? ["init() {}", reading] : [reading]
    }

    private func writeInitializer(where clause: String = "", to code: inout Code) {
        code.block("private init?(json: inout JSONReader)\(clause)") { code in
            ReadingBody(tree).write(to: &code)
        }
    }
}
#endif
