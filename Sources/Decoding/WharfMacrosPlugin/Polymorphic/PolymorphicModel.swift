#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// An enumeration as a tagged union of its payloads.
struct PolymorphicModel {
    let discriminator: String
    /// The key of the payload; nil if the tag is inside the payload.
    let content: String?
    let cases: [EnumCase]
    let unknown: EnumCase?
    let requirements: Requirements

    var all: [EnumCase] { cases + [unknown].compactMap(\.self) }

    /// Returns nil if the declaration is not supported, which is then among the problems.
    init?(_ declaration: EnumDeclSyntax, _ node: AttributeSyntax, _ problems: inout [Problem]) {
        let list = CaseList(of: declaration, &problems)
        unknown = list.unknown(byName: { _ in true }, &problems)
        cases = list.cases.filter { [unknown] in $0.name != unknown?.name }
        requirements = Requirements(cases.compactMap(\.payload), parameters: declaration.genericParameterClause)
        let discriminator = node.argument("discriminator").flatMap {
            JSONText.value(of: $0, called: "the discriminator", &problems)
        }
        content = node.argument("content").flatMap {
            $0.is(NilLiteralExprSyntax.self) ? nil : JSONText.value(of: $0, called: "the key of the content", &problems)
        }
        if node.argument("discriminator") == nil { problems.append(Self.withoutDiscriminator(node)) }
        if let content, content == discriminator, let argument = node.argument("content") {
            problems.append(
                Problem("sameKey", "the content needs another key than the discriminator", at: argument))
        }
        for one in cases { Self.check(one, &problems) }
        if let unknown { Self.check(unknown: unknown, &problems) }
        // The unknown case counts too, as it is a case of `Kind` with its own raw value.
        list.checkTexts(but: nil, called: "tag", &problems)
        if let inherited = declaration.inheritanceClause?.inheritedTypes.first,
            list.cases.contains(where: \.hasRawValue)
        {
            problems.append(
                Problem("rawValue", "an enumeration with raw values has no payloads; use '@JSONCodable'", at: inherited)
            )
        }
        guard let discriminator, problems.isEmpty else { return nil }
        self.discriminator = discriminator
    }

    private static func withoutDiscriminator(_ node: AttributeSyntax) -> Problem {
        let named = AttributeSyntax("@Polymorphic(discriminator: \"type\")")
            .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
        return Problem(
            "discriminator", "the key of the tag is missing", at: node,
            fixIts: [.replace("addDiscriminator", "add 'discriminator: \"type\"'", node, by: named)])
    }

    private static func check(_ one: EnumCase, _ problems: inout [Problem]) {
        if ["content", "discriminator"].contains(one.plainName) {
            problems.append(
                Problem(
                    "reservedCase",
                    "'\(one.name)' is a name of JSONPolymorphic; give the case another name and "
                        + "'@JSONCase(\(one.text.literal))'",
                    at: one.node)
            )
        }
        if one.parameters.count > 1 {
            problems.append(
                Problem(
                    "severalPayloads", "'\(one.name)' can have one payload at most; put these into a struct",
                    at: one.node))
        } else if let parameter = one.parameters.first, parameter.firstName != nil {
            let renewed = EnumCaseParameterSyntax(type: parameter.type)
            problems.append(
                Problem(
                    "label", "the payload of '\(one.name)' can't have a label", at: parameter,
                    fixIts: [.replace("removeLabel", "remove the label", parameter, by: renewed)])
            )
        }
    }

    private static func check(unknown: EnumCase, _ problems: inout [Problem]) {
        let only = unknown.parameters.count == 1 ? unknown.parameters.first : nil
        let type = only?.type.trimmedDescription
        guard only?.firstName != nil || (type != "UnknownElement" && type != "WharfJSON.UnknownElement") else { return }
        problems.append(
            .unknownPayload(unknown, is: "UnknownElement", keeping: "an element of an unknown kind"))
    }
}

extension EnumCase {
    fileprivate var hasRawValue: Bool { node.rawValue != nil }
}
#endif
