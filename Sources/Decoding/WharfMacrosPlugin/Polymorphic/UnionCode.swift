#if Macros
import SwiftSyntax

/// The conformances of a union: to `JSONPolymorphic`, and to `Codable` for other coders.
struct UnionCode {
    private let model: PolymorphicModel

    init(_ model: PolymorphicModel) {
        self.model = model
    }

    func extensions(_ witnesses: Witnesses) -> [ExtensionDeclSyntax] {
        let roles = ["JSONDecodable", "JSONEncodable", "JSONPolymorphic"]
        let both = "JSONDecodable & JSONEncodable"
        let direct = witnesses.extensionDecl(roles, where: model.requirements.clause(both)) { code in
            writeKind(witnesses.access, to: &code)
            writeReading(witnesses.access, to: &code)
            writeWriting(witnesses.access, to: &code)
            writeUnknown(witnesses.access, to: &code)
        }
        let plain = PlainUnionCode(model)
        let decodable = witnesses.extensionDecl(["Decodable"], where: model.requirements.clause(both + " & Decodable"))
        {
            code in
            if !witnesses.has("init(from:)") { plain.writeReading(witnesses.access, to: &code) }
        }
        let encodable = witnesses.extensionDecl(["Encodable"], where: model.requirements.clause(both + " & Encodable"))
        {
            code in
            if !witnesses.has("encode(to:)") { plain.writeWriting(witnesses.access, to: &code) }
        }
        return [direct, decodable, encodable].compactMap(\.self)
    }

    private func writeKind(_ access: String, to code: inout Code) {
        code.block("\(access)enum Kind: String, CaseIterable, Sendable") { code in
            for one in model.all {
                code.line("case \(one.name)" + (one.text == one.plainName ? "" : " = \(one.text.literal)"))
            }
        }
        code.line("")
        code.line("\(access)static var discriminator: StaticString { \(model.discriminator.literal) }")
        code.line("\(access)static var content: StaticString? { \(model.content?.literal ?? "nil") }")
        code.line("")
        code.block("\(access)var kind: Kind") { code in
            code.choice("switch self") { code in
                for one in model.all { code.line("case .\(one.name): .\(one.name)") }
            }
        }
        code.line("")
        code.block("\(access)static func takeKind(_ json: inout JSONReader) -> Kind?") { code in
            for one in model.cases { code.line("if json.take(\(one.text.literal)) { return .\(one.name) }") }
            code.line("return nil")
        }
        code.line("")
    }

    private func writeReading(_ access: String, to code: inout Code) {
        code.block("\(access)static func decode(_ kind: Kind, from json: inout JSONReader) -> Self?") { code in
            code.choice("switch kind") { code in
                for one in model.cases {
                    if let payload = one.payload {
                        code.line(
                            "case .\(one.name): return json.payload(\(payload.metatype)).map { .\(one.name)($0) }")
                    } else {
                        code.line("case .\(one.name):")
                        // The value of a kind without payload may have any content, which is
                        // checked and ignored.
                        code.line("    json.skipValue()")
                        code.line("    return Self.\(one.name)")
                    }
                }
                if let unknown = model.unknown { code.line("case .\(unknown.name): return nil") }
            }
        }
        code.line("")
    }

    private func writeWriting(_ access: String, to code: inout Code) {
        code.block("\(access)func encodeContent(into json: inout JSONWriter)") { code in
            code.choice("switch self") { code in
                for one in model.cases {
                    if one.payload != nil {
                        code.line("case .\(one.name)(let payload): json.payload(payload)")
                    } else {
                        code.line("case .\(one.name):")
                        code.line("    json.beginObject()")
                        code.line("    json.endObject()")
                    }
                }
                if let unknown = model.unknown {
                    code.line("case .\(unknown.name)(let element): element.encode(into: &json)")
                }
            }
        }
        let empty = model.cases.filter { $0.payload == nil }
        guard !empty.isEmpty else { return }
        code.line("")
        code.block("\(access)static func empty(_ kind: Kind) -> Self?") { code in
            code.choice("switch kind") { code in
                for one in empty { code.line("case .\(one.name): Self.\(one.name)") }
                // A default that can't be reached would be a warning.
                if empty.count < model.all.count { code.line("default: nil") }
            }
        }
    }

    private func writeUnknown(_ access: String, to code: inout Code) {
        guard let unknown = model.unknown else { return }
        code.line("")
        code.line("\(access)static var unknownKind: Kind? { .\(unknown.name) }")
        code.line("\(access)static func keep(_ element: UnknownElement) -> Self? { .\(unknown.name)(element) }")
        code.line("")
        code.block("\(access)var unknownElement: UnknownElement?") { code in
            code.line("if case .\(unknown.name)(let element) = self { element } else { nil }")
        }
    }
}

extension TypeSyntax {
    /// The metatype as an expression, as in `Square.self` or `(any Shape).self`.
    var metatype: String {
        let isSimple =
            self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self)
            || self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) || self.is(OptionalTypeSyntax.self)
        return (isSimple ? trimmedDescription : "(\(trimmedDescription))") + ".self"
    }
}
#endif
