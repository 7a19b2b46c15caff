import SwiftSyntaxMacrosGenericTestSupport
import Testing
import WharfChecks

@Suite struct DeclarationDiagnosticTests {
    private static let kinds = "applies to a struct, a final class or an enumeration, not to this"

    @Test func anActorIsRefused() {
        Expansion.check(
            "@JSONCodable actor A {}",
            reports: DiagnosticSpec(
                message: "'@JSONCodable' \(Self.kinds) actor", line: 1, column: 1,
                fixIts: [FixItSpec(message: "remove '@JSONCodable'")]),
            leaving: "actor A {}", fixed: "actor A {}")
    }

    @Test func aProtocolIsRefused() {
        Expansion.check(
            "@JSONCodable protocol P {}",
            reports: DiagnosticSpec(
                message: "'@JSONCodable' \(Self.kinds) protocol", line: 1, column: 1,
                fixIts: [FixItSpec(message: "remove '@JSONCodable'")]),
            leaving: "protocol P {}", fixed: "protocol P {}")
    }

    @Test func aClassMustBeFinal() {
        Expansion.check(
            "@JSONCodable public class C {\n    let id: Int\n}",
            reports: DiagnosticSpec(
                message:
                    "a class that is read from JSON must be final: a subclass would be read without its own properties",
                line: 1, column: 27, fixIts: [FixItSpec(message: "add 'final'")]),
            leaving: "public class C {\n    let id: Int\n}",
            fixed: "@JSONCodable public final class C {\n    let id: Int\n}")
    }

    @Test func aTypeThatIsPrivateToAnotherIsRefused() {
        let message = "an extension can't name a private type inside another type; make it 'fileprivate'"
        Expansion.check(
            "struct Outer {\n    @JSONCodable private enum E {\n        case a\n    }\n}",
            reports: DiagnosticSpec(
                message: message, line: 2, column: 18, fixIts: [FixItSpec(message: "make it 'fileprivate'")]),
            leaving: "struct Outer {\n    private enum E {\n        case a\n    }\n}",
            fixed: "struct Outer {\n    @JSONCodable fileprivate enum E {\n        case a\n    }\n}")
    }

    @Test func keysOfAnUnknownStyleAreRefused() {
        Expansion.check(
            "@JSONCodable(keys: style) struct S {\n    let id: Int\n}",
            reports: DiagnosticSpec(
                message: "write '.asWritten' or '.snakeCase' here, because macros see no values", line: 1, column: 20),
            leaving: "struct S {\n    let id: Int\n}")
    }

    @Test func moreThan128FieldsAreRefused() {
        let properties = (0...128).map { "    let p\($0): Int" }.joined(separator: "\n")
        Expansion.check(
            "@JSONCodable struct S {\n\(properties)\n}",
            reports: DiagnosticSpec(
                message: "an object can have at most 128 fields; nest the rest, or read it by hand", line: 130,
                column: 9),
            leaving: "struct S {\n\(properties)\n}")
    }
}
