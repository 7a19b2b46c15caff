import SwiftSyntaxMacrosGenericTestSupport
import Testing
import WharfChecks

@Suite struct EnumDiagnosticTests {
    private func check(
        _ attribute: String, _ cases: String, _ message: String, line: Int = 2, column: Int, fixIt: String? = nil,
        leaving stripped: String? = nil, fixed: String? = nil, at location: Testing.SourceLocation = #_sourceLocation
    ) {
        Expansion.check(
            "\(attribute) enum E {\n    \(cases)\n}",
            reports: DiagnosticSpec(
                message: message, line: line, column: column, fixIts: fixIt.map { [FixItSpec(message: $0)] } ?? []),
            leaving: "enum E {\n    \(stripped ?? cases)\n}", fixed: fixed, at: location)
    }

    private static let union = #"@Polymorphic(discriminator: "type", content: "value")"#

    @Test func anEnumWithoutCasesIsRefused() {
        for attribute in ["@JSONCodable", Self.union] {
            Expansion.check(
                "\(attribute) enum E {}",
                reports: DiagnosticSpec(
                    message: "an enumeration without cases has no value to read", line: 1, column: attribute.count + 7),
                leaving: "enum E {}")
        }
    }

    @Test func payloadsNeedADiscriminator() {
        check(
            "@JSONCodable", "case a(Int)", "'a' has a payload, so JSON needs a discriminator", column: 10,
            fixIt: "use '@Polymorphic'", fixed: "@Polymorphic(discriminator: \"type\") enum E {\n    case a(Int)\n}")
        check(
            "@Polymorphic", "case a(Int)", "the key of the tag is missing", line: 1, column: 1,
            fixIt: "add 'discriminator: \"type\"'",
            fixed: "@Polymorphic(discriminator: \"type\") enum E {\n    case a(Int)\n}")
    }

    @Test func unknownCaseMustKeepTheReadValue() {
        check(
            "@JSONCodable", "case a, unknown(Int)",
            "'unknown' keeps the text that was read, so its payload must be one 'String' without a label", column: 13,
            fixIt: "make it 'unknown(String)'", fixed: "@JSONCodable enum E {\n    case a, unknown(String)\n}")
        for wrong in ["unknown", "unknown(String)", "unknown(it: UnknownElement)"] {
            check(
                Self.union, "case a(Int), \(wrong)",
                "'unknown' keeps an element of an unknown kind, so its payload must be one 'UnknownElement' without a label",
                column: 18, fixIt: "make it 'unknown(UnknownElement)'",
                fixed: "\(Self.union) enum E {\n    case a(Int), unknown(UnknownElement)\n}")
        }
        check(
            "@JSONCodable", "@JSONUnknown case a\n    @JSONUnknown case b\n    case c",
            "the enumeration has an unknown case already",
            line: 3, column: 23, leaving: "case a\n    case b\n    case c")
    }

    @Test func unionCaseMustHaveOneUnlabeledPayload() {
        check(
            Self.union, "case a(Int, Int)", "'a' can have one payload at most; put these into a struct", column: 10)
        check(
            Self.union, "case a(it: Int)", "the payload of 'a' can't have a label", column: 12,
            fixIt: "remove the label",
            fixed: "\(Self.union) enum E {\n    case a(Int)\n}")
    }

    @Test func duplicateTagsAndTextsAreRefused() {
        check(
            Self.union, "case a(Int)\n    @JSONCase(\"a\") case b(Int)", "the tag \"a\" belongs to 'a' already",
            line: 3,
            column: 25, leaving: "case a(Int)\n    case b(Int)")
        check(
            "@JSONCodable", "case a\n    @JSONCase(\"a\") case b", "the text \"a\" belongs to 'a' already", line: 3,
            column: 25, leaving: "case a\n    case b")
        check(
            "@JSONCodable", "@JSONCase(\"x\") case b, c",
            "'@JSONCase' applies to one case; declare these cases separately",
            column: 5, leaving: "case b, c")
    }

    @Test func caseTextsMustBeLiteralsWithoutEscapes() {
        check(
            "@JSONCodable", "@JSONCase(x) case b",
            "the text of a case must be a string literal, because macros see no values", column: 15,
            leaving: "case b")
        check(
            #"@Polymorphic(discriminator: key)"#, "case a(Int)",
            "the discriminator must be a string literal, because macros see no values", line: 1, column: 29)
        check(
            #"@Polymorphic(discriminator: "a\"b")"#, "case a(Int)",
            "the discriminator with a quote, a backslash or a control character is not found by comparing bytes; "
                + "read it by hand", line: 1, column: 29)
    }

    @Test func contentKeyMustDifferFromTheTag() {
        check(
            #"@Polymorphic(discriminator: "t", content: "t")"#, "case a(Int)",
            "the content needs another key than the discriminator", line: 1, column: 43)
    }

    @Test func caseNamedLikeAProtocolMemberIsRefused() {
        check(
            Self.union, "case content(Int)",
            "'content' is a name of JSONPolymorphic; give the case another name and '@JSONCase(\"content\")'",
            column: 10
        )
    }

    @Test func caseTextOnRawValueEnumIsRefused() {
        Expansion.check(
            "@JSONCodable enum E: String {\n    @JSONCase(\"x\") case a\n}",
            reports: DiagnosticSpec(
                message: "JSON has the raw value; write it as '= …' after the case", line: 2, column: 5,
                fixIts: [FixItSpec(message: "remove '@JSONCase'")]),
            leaving: "enum E: String {\n    case a\n}", fixed: "@JSONCodable enum E: String {\n    case a\n}")
    }

    @Test func polymorphicStructIsRefused() {
        Expansion.check(
            "\(Self.union) struct S {}",
            reports: DiagnosticSpec(
                message: "'@Polymorphic' applies to an enumeration with one payload per case, not to this struct",
                line: 1, column: 1, fixIts: [FixItSpec(message: "remove '@Polymorphic'")]),
            leaving: "struct S {}", fixed: "struct S {}")
    }
}
