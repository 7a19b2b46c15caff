import SwiftSyntaxMacrosGenericTestSupport
import Testing
import WharfChecks

@Suite struct InterfaceDiagnosticTests {
    /// Checks the diagnostics of one property of an interface.
    private func check(
        _ property: String, reports message: String, line: Int = 2, column: Int, fixIt: String? = nil,
        leaving stripped: String? = nil, fixed: String? = nil, at location: Testing.SourceLocation = #_sourceLocation
    ) {
        func interface(_ property: String) -> String { "struct I {\n    \(property)\n}" }
        Expansion.check(
            "@Interface \(interface(property))",
            reports: DiagnosticSpec(
                message: message, line: line, column: column, fixIts: fixIt.map { [FixItSpec(message: $0)] } ?? []),
            leaving: interface(stripped ?? property), fixed: fixed.map { "@Interface \(interface($0))" }, at: location)
    }

    @Test func nonThrowingEndpointWithAResultNeedsADefault() {
        check(
            "let count: @Sendable () -> Int",
            reports:
                "'count' returns a value and can't throw; give '@Endpoint(default:)' the value for a "
                + "missing implementation", column: 9, fixIt: "add '@Endpoint(default:)'",
            fixed: "@Endpoint(default: <#value#>) let count: @Sendable () -> Int")
    }

    @Test func fixItAddsDefaultBesideTheName() {
        check(
            #"@Endpoint("count") let countAll: @Sendable () -> Int"#,
            reports:
                "'countAll' returns a value and can't throw; give '@Endpoint(default:)' the value for a "
                + "missing implementation", column: 28, fixIt: "add '@Endpoint(default:)'",
            leaving: "let countAll: @Sendable () -> Int",
            fixed: #"@Endpoint("count", default: <#value#>) let countAll: @Sendable () -> Int"#)
    }

    @Test func typedThrowsEndpointNeedsADefault() {
        check(
            "let count: @Sendable () throws(Missing) -> Int",
            reports:
                "'count' throws errors of one type only, and returns a value; give '@Endpoint(default:)' the value for "
                + "a missing implementation", column: 9, fixIt: "add '@Endpoint(default:)'",
            fixed: "@Endpoint(default: <#value#>) let count: @Sendable () throws(Missing) -> Int")
    }

    @Test func throwsNeverEndpointNeedsADefault() {
        check(
            "let count: @Sendable () throws(Never) -> Int",
            reports:
                "'count' returns a value and can't throw; give '@Endpoint(default:)' the value for a "
                + "missing implementation", column: 9, fixIt: "add '@Endpoint(default:)'",
            fixed: "@Endpoint(default: <#value#>) let count: @Sendable () throws(Never) -> Int")
    }

    @Test(arguments: [
        ("let load: @Sendable () async throws -> Int", "throws"), ("let load: @Sendable () -> Void", "returns nothing"),
    ])
    func unusedDefaultIsRefused(property: String, reason: String) {
        check(
            "@Endpoint(default: 0) \(property)",
            reports: "'load' \(reason) without an implementation, so it needs no default", column: 24, leaving: property
        )
    }

    @Test func aVariableIsRefused() {
        check(
            "var load: @Sendable () throws -> Int",
            reports: "an endpoint must be a constant; 'overriding(load:)' returns a copy with another one", column: 5,
            fixIt: "make it a 'let'", fixed: "let load: @Sendable () throws -> Int")
    }

    @Test func aConstantWithAValueIsRefused() {
        check(
            "let load: @Sendable () -> Int = { 0 }",
            reports: "'load' has its value already, so no other can be given; give '@Endpoint(default:)' the "
                + "value for a missing implementation", column: 35)
    }

    @Test func nonSendableClosureIsRefused() {
        check(
            "let load: () throws -> Int",
            reports: "an endpoint is called from any thread, so its closure must be '@Sendable'",
            column: 15, fixIt: "add '@Sendable'", fixed: "let load: @Sendable () throws -> Int")
    }

    @Test func nonSendableClosureAliasIsRefusedWithoutAFixIt() {
        check(
            "typealias Load = () throws -> Int\n    let load: Load",
            reports: "an endpoint is called from any thread, so its closure must be '@Sendable'", line: 3, column: 15)
    }

    @Test func mutuallyRecursiveAliasesNeedADefault() {
        check(
            "typealias A = B\n    typealias B = A\n    let load: A?",
            reports:
                "'load' is neither a closure nor another interface; give '@Endpoint(default:)' the value for "
                + "a missing implementation", line: 4, column: 9, fixIt: "add '@Endpoint(default:)'",
            fixed: "typealias A = B\n    typealias B = A\n    @Endpoint(default: <#value#>) let load: A?")
    }

    @Test func variadicParametersAreRefused() {
        check(
            "let sum: @Sendable (_ of: Int...) throws -> Int",
            reports: "a variadic parameter can't be forwarded; use an array", column: 25)
    }

    @Test func nonClosurePropertyNeedsADefault() {
        check(
            "let names: [String]",
            reports:
                "'names' is neither a closure nor another interface; give '@Endpoint(default:)' the value for "
                + "a missing implementation", column: 9, fixIt: "add '@Endpoint(default:)'",
            fixed: "@Endpoint(default: <#value#>) let names: [String]")
    }

    @Test func severalNamesInOneDeclarationAreRefused() {
        check(
            "let a, b: @Sendable () throws -> Int", reports: "an endpoint has one name; declare these separately",
            column: 9)
    }

    @Test func aNameThatIsNoLiteralIsRefused() {
        check(
            "@Endpoint(name) let load: @Sendable () throws -> Int",
            reports: "a name must be a string literal, because macros see no values", column: 15,
            leaving: "let load: @Sendable () throws -> Int")
    }

    @Test func endpointAttributeOnStaticPropertyIsRefused() {
        check(
            #"@Endpoint("load") static let load = 1"#,
            reports: "'@Endpoint' applies to stored properties; this property is not stored",
            column: 5, fixIt: "remove '@Endpoint'", leaving: "static let load = 1", fixed: "static let load = 1")
    }

    @Test func conditionalEndpointIsRefused() {
        check(
            "#if DEBUG\n    let load: @Sendable () throws -> Int\n    #endif",
            reports: "a macro can't evaluate '#if'; move the endpoint out", line: 3, column: 5)
    }

    @Test func aClassIsRefused() {
        Expansion.check(
            "@Interface final class C {}",
            reports: DiagnosticSpec(
                message: "'@Interface' applies to a struct of closures, not to this class", line: 1, column: 1,
                fixIts: [FixItSpec(message: "remove '@Interface'")]),
            leaving: "final class C {}", fixed: "final class C {}")
    }

    @Test func aServiceThatIsNoTypeIsRefused() {
        Expansion.check(
            "@Interface(of: service) struct I {}",
            reports: DiagnosticSpec(
                message: "name the service by its type, as in 'UserService.self'", line: 1, column: 16),
            leaving: "struct I {}")
    }
}
