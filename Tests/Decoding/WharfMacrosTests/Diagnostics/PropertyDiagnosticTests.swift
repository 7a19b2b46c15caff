import SwiftSyntaxMacrosGenericTestSupport
import Testing
import WharfChecks

@Suite struct PropertyDiagnosticTests {
    /// Checks the diagnostics of a struct's properties, and the result of the fix-its.
    private func check(
        _ properties: String, _ message: String, line: Int = 2, column: Int, fixIt: String? = nil,
        leaving stripped: String, fixed: String? = nil, at location: Testing.SourceLocation = #_sourceLocation
    ) {
        Expansion.check(
            "@JSONCodable struct S {\n    \(properties)\n}",
            reports: DiagnosticSpec(
                message: message, line: line, column: column, fixIts: fixIt.map { [FixItSpec(message: $0)] } ?? []),
            leaving: "struct S {\n    \(stripped)\n}",
            fixed: fixed.map { "@JSONCodable struct S {\n    \($0)\n}" }, at: location)
    }

    @Test func propertyNeedsAVisibleType() {
        check(
            "var date = Date()", "'date' needs a type annotation: a macro knows only the types of literals", column: 9,
            fixIt: "add its type", leaving: "var date = Date()", fixed: "var date: <#Type#> = Date()")
    }

    @Test(arguments: [
        ("var x: Int { 1 }", "this property is computed"), ("lazy var x = 1", "this property is lazy"),
        ("static var x = 1", "this property belongs to the type"),
        ("var x: Int { get { 1 } set {} }", "this property is computed"),
    ])
    func onlyStoredPropertiesHaveKeys(property: String, reason: String) {
        check(
            "@JSONField(\"y\") \(property)", "'@JSONField' applies to stored properties; \(reason)", column: 5,
            fixIt: "remove '@JSONField'", leaving: property, fixed: property)
        check(
            "@JSONIgnored \(property)", "'@JSONIgnored' applies to stored properties; \(reason)", column: 5,
            fixIt: "remove '@JSONIgnored'", leaving: property, fixed: property)
    }

    @Test func anIgnoredPropertyNeedsADefault() {
        check(
            "@JSONIgnored var x: Int", "an ignored property needs a default value",
            column: 22, fixIt: "add a default", leaving: "var x: Int",
            fixed: "@JSONIgnored var x: Int = <#default#>")
        check(
            "@JSONIgnored let x: Int?", "an ignored property needs a default value",
            column: 22, fixIt: "add a default", leaving: "let x: Int?",
            fixed: "@JSONIgnored let x: Int? = <#default#>")
    }

    @Test func anIgnoredPropertyHasNoKey() {
        check(
            "@JSONIgnored @JSONField(\"y\") var x = 1", "an ignored property has no key", column: 18,
            fixIt: "remove '@JSONField'", leaving: "var x = 1", fixed: "@JSONIgnored var x = 1")
    }

    @Test func aConstantWithItsValueHasNoKey() {
        check(
            "@JSONField(\"y\") let x = 1", "'x' has its value already, so nothing can be read into it", column: 5,
            fixIt: "make it a 'var'", leaving: "let x = 1", fixed: "@JSONField(\"y\") var x = 1")
    }

    @Test func keysAreLiterals() {
        check(
            "@JSONField(key) let x: Int", "a key must be a string literal, because macros see no values", column: 16,
            leaving: "let x: Int")
        check(
            "@JSONField(\"\\(key)\") let x: Int", "a key must be a string literal, because macros see no values",
            column: 16, leaving: "let x: Int")
    }

    @Test(arguments: [#""a\"b""#, #""a\\b""#, #""a\nb""#])
    func keysThatJSONWritesWithEscapesAreRefused(key: String) {
        check(
            "@JSONField(\(key)) let x: Int",
            "a key with a quote, a backslash or a control character is not found by comparing bytes; read it by hand",
            column: 16, leaving: "let x: Int")
    }

    @Test func aFormatIsNamedAsAType() {
        check(
            "@JSONField(as: format) let x: Int", "name the format by its type, as in 'SecondsSince1970.self'",
            column: 20, leaving: "let x: Int")
    }

    @Test func twoPropertiesOfOneKeyAreRefused() {
        check(
            "let x: Int\n    @JSONField(\"x\") let y: Int", "the key \"x\" is read into another property already",
            line: 3, column: 25, leaving: "let x: Int\n    let y: Int")
        check(
            "@JSONField(\"a\") let x: Int\n    @JSONField(\"a\", \"b\") let y: Int",
            "the key \"a\", \"b\" is read into another property already", line: 3, column: 30,
            leaving: "let x: Int\n    let y: Int")
    }

    @Test func ambiguousMeaningOfAMissingKeyIsRefused() {
        check(
            "var x: Int?? = 1",
            "'x' distinguishes a missing key from null, so a missing key is nil and has no other default",
            column: 20, leaving: "var x: Int?? = 1")
        check(
            "let x: Int???", "JSON distinguishes only a missing key, null and a value; remove a '?'", column: 12,
            leaving: "let x: Int???")
    }

    @Test func tupleAndConditionalPropertiesAreRefused() {
        check(
            "var (a, b) = (1, 2)", "a property that is read from JSON has one name; declare these separately",
            column: 9,
            leaving: "var (a, b) = (1, 2)")
        check(
            "#if DEBUG\n    let x: Int\n    #endif",
            "a stored property inside '#if' can't be read from JSON; move it out",
            line: 3,
            column: 5, leaving: "#if DEBUG\n    let x: Int\n    #endif")
    }

    @Test func allDiagnosticsAreReportedAtOnce() {
        Expansion.check(
            "@JSONCodable struct S {\n    var a = f()\n    @JSONIgnored let b: Int\n}",
            reports: DiagnosticSpec(
                message: "'a' needs a type annotation: a macro knows only the types of literals", line: 2, column: 9,
                fixIts: [FixItSpec(message: "add its type")]),
            DiagnosticSpec(
                message: "an ignored property needs a default value", line: 3, column: 22,
                fixIts: [FixItSpec(message: "add a default")]),
            leaving: "struct S {\n    var a = f()\n    let b: Int\n}")
    }
}
