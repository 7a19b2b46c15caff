#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// An enumeration without payloads as a JSON string, or as the JSON of its raw values.
struct EnumCoding {
    /// The values that distinguish the cases in JSON.
    private enum Form {
        /// The names of the cases.
        case names
        /// Raw values of type `String`.
        case strings
        /// Raw values of another type.
        case values(String)
    }

    private let form: Form
    private let cases: [EnumCase]
    private let unknown: EnumCase?

    /// Returns nil if the declaration is not supported, which is then among the problems.
    init?(_ declaration: EnumDeclSyntax, _ node: AttributeSyntax, _ problems: inout [Problem]) {
        let list = CaseList(of: declaration, &problems)
        form = Self.form(of: declaration, list)
        unknown = list.unknown(byName: { !$0.parameters.isEmpty }, &problems)
        cases = list.cases.filter { [unknown] in $0.name != unknown?.name }
        if let unknown { Self.check(unknown, &problems) }
        if let polymorphic = cases.first(where: { !$0.parameters.isEmpty }) {
            problems.append(Self.hasPayloads(polymorphic, node))
        }
        for one in cases {
            // With raw values the raw value is the text, so a second one would be ignored silently.
            guard let renaming = one.renaming, !isNamed else { continue }
            problems.append(
                Problem(
                    "renamedRawValue", "JSON has the raw value; write it as '= …' after the case",
                    at: renaming, fixIts: [.remove(renaming)])
            )
        }
        if isNamed { list.checkTexts(but: unknown, called: "text", &problems) }
        guard problems.isEmpty else { return nil }
    }

    private var isNamed: Bool {
        if case .names = form { true } else { false }
    }

    private static func form(of declaration: EnumDeclSyntax, _ list: CaseList) -> Form {
        // A raw type must come first among the inherited types. A macro sees its name only, and
        // can't tell a type from a protocol.
        guard let first = declaration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription else {
            return .names
        }
        let name = first.hasPrefix("Swift.") ? String(first.dropFirst(6)) : first
        if name == "String" { return .strings }
        let isNumber =
            (name.hasPrefix("Int") || name.hasPrefix("UInt")) && name.drop { !$0.isNumber }.allSatisfy(\.isNumber)
        let isRaw = isNumber || ["Double", "Float"].contains(name) || list.cases.contains { $0.node.rawValue != nil }
        return isRaw ? .values(first) : .names
    }

    private static func check(_ unknown: EnumCase, _ problems: inout [Problem]) {
        guard !unknown.parameters.isEmpty else { return }
        let only = unknown.parameters.count == 1 ? unknown.parameters.first : nil
        guard only?.firstName != nil || only?.type.trimmedDescription != "String" else { return }
        problems.append(.unknownPayload(unknown, is: "String", keeping: "the text that was read"))
    }

    private static func hasPayloads(_ one: EnumCase, _ node: AttributeSyntax) -> Problem {
        let other = AttributeSyntax("@Polymorphic(discriminator: \"type\")")
            .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
        return Problem(
            "payload", "'\(one.name)' has a payload, so JSON needs a discriminator", at: one.node,
            fixIts: [.replace("usePolymorphic", "use '@Polymorphic'", node, by: other)]
        )
    }
}

extension EnumCoding {
    func extensions(_ witnesses: Witnesses) -> [ExtensionDeclSyntax] {
        let decodable = witnesses.extensionDecl(["JSONDecodable"]) { code in
            guard !witnesses.has("decode(from:)") else { return }
            code.block("\(witnesses.access)static func decode(from json: inout JSONReader) -> Self?", writeReading)
        }
        let encodable = witnesses.extensionDecl(["JSONEncodable"]) { code in
            guard !witnesses.has("encode(into:)") else { return }
            code.block("\(witnesses.access)func encode(into json: inout JSONWriter)", writeWriting)
        }
        return [decodable, encodable].compactMap(\.self)
    }

    private func writeReading(to code: inout Code) {
        switch form {
        case .values(let type):
            if unknown == nil { code.line("let start = json.offset") }
            code.line("guard let value = \(type).decode(from: &json) else { return nil }")
            writeRawValue("value", to: &code)
        case .strings:
            writeMatches(to: &code)
            writeRawValue("text", to: &code)
        case .names:
            writeMatches(to: &code)
            code.choice("switch text") { code in
                for one in cases { code.line("case \(one.text.literal): return .\(one.name)") }
                code.line("default: \(otherwise)")
            }
        }
    }

    /// Compares a string in place. Only a string with escapes or without a matching case is read.
    private func writeMatches(to code: inout Code) {
        // Such a text is never found by comparing bytes, only by the string below.
        for one in cases where !one.text.needsJSONEscape {
            code.line("if json.take(\(one.text.literal)) { return .\(one.name) }")
        }
        if unknown == nil { code.line("let start = json.offset") }
        // An unused variable would be a warning in the user's code.
        let isUsed = !(isNamed && cases.isEmpty && unknown?.payload == nil)
        code.line("guard let \(isUsed ? "text" : "_") = json.string() else { return nil }")
    }

    private func writeRawValue(_ name: String, to code: inout Code) {
        if let unknown { return code.line("return Self(rawValue: \(name)) ?? .\(unknown.name)") }
        code.line("if let known = Self(rawValue: \(name)) { return known }")
        code.line(otherwise)
    }

    private var otherwise: String {
        if let unknown { return "return .\(unknown.name)" + (unknown.payload == nil ? "" : "(text)") }
        return "return json.invalid(at: start, .unknownCase, expected: \(expected.literal))"
    }

    private var expected: String {
        let texts = cases.map { one in
            if case .values = form { one.node.rawValue?.value.trimmedDescription ?? one.name } else { one.text.literal }
        }
        return texts.count == 1 ? texts[0] : "one of " + texts.joined(separator: ", ")
    }

    private func writeWriting(to code: inout Code) {
        switch form {
        case .values: code.line("rawValue.encode(into: &json)")
        case .strings: code.line("json.string(rawValue)")
        case .names:
            code.choice("switch self") { code in
                for one in cases { code.line("case .\(one.name): json.string(\(one.text.literal))") }
                guard let unknown else { return }
                let hasPayload = unknown.payload != nil
                code.line(
                    "case .\(unknown.name)\(hasPayload ? "(let text)" : ""): "
                        + "json.string(\(hasPayload ? "text" : unknown.text.literal))")
            }
        }
    }
}

extension Problem {
    static func unknownPayload(
        _ unknown: EnumCase, is type: String, keeping what: String
    ) -> Problem {
        let payload = EnumCaseParameterSyntax(type: IdentifierTypeSyntax(name: .identifier(type)))
        let renewed = unknown.node.with(\.name.trailingTrivia, [])
            .with(\.parameterClause, EnumCaseParameterClauseSyntax(parameters: [payload]))
        return Problem(
            "unknownPayload", "'\(unknown.name)' keeps \(what), so its payload must be one '\(type)' without a label",
            at: unknown.node,
            fixIts: [.replace("fixUnknownPayload", "make it '\(unknown.name)(\(type))'", unknown.node, by: renewed)]
        )
    }
}
#endif
