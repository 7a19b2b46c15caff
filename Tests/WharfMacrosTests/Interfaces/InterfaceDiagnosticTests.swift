#if Macros
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

    @Test func whatCannotThrowAndReturnsAValueNeedsADefault() {
        check(
            "let count: @Sendable () -> Int",
            reports:
                "'count' returns a value and can't throw: say by '@Endpoint(default:)' what it returns where it is "
                + "not implemented", column: 9, fixIt: "say what it returns",
            fixed: "@Endpoint(default: <#value#>) let count: @Sendable () -> Int")
    }

    @Test func aDefaultGoesBesideTheNameThatIsThere() {
        check(
            #"@Endpoint("count") let countAll: @Sendable () -> Int"#,
            reports:
                "'countAll' returns a value and can't throw: say by '@Endpoint(default:)' what it returns where it "
                + "is not implemented", column: 28, fixIt: "say what it returns",
            leaving: "let countAll: @Sendable () -> Int",
            fixed: #"@Endpoint("count", default: <#value#>) let countAll: @Sendable () -> Int"#)
    }

    @Test func whatThrowsErrorsOfOneTypeNeedsADefaultToo() {
        check(
            "let count: @Sendable () throws(Missing) -> Int",
            reports:
                "'count' throws errors of one type only, and returns a value: say by '@Endpoint(default:)' what it "
                + "returns where it is not implemented", column: 9, fixIt: "say what it returns",
            fixed: "@Endpoint(default: <#value#>) let count: @Sendable () throws(Missing) -> Int")
    }

    @Test func whatThrowsNeverNeedsADefaultToo() {
        check(
            "let count: @Sendable () throws(Never) -> Int",
            reports:
                "'count' returns a value and can't throw: say by '@Endpoint(default:)' what it returns where it is "
                + "not implemented", column: 9, fixIt: "say what it returns",
            fixed: "@Endpoint(default: <#value#>) let count: @Sendable () throws(Never) -> Int")
    }

    @Test(arguments: [
        ("let load: @Sendable () async throws -> Int", "throws"), ("let load: @Sendable () -> Void", "returns nothing"),
    ])
    func aDefaultThatNobodyReadsIsRefused(property: String, reason: String) {
        check(
            "@Endpoint(default: 0) \(property)",
            reports: "'load' \(reason) where it is not implemented, and needs no default", column: 24, leaving: property
        )
    }

    @Test func aVariableIsRefused() {
        check(
            "var load: @Sendable () throws -> Int",
            reports: "an endpoint is a constant; 'overriding(load:)' gives a copy with another one", column: 5,
            fixIt: "make it a 'let'", fixed: "let load: @Sendable () throws -> Int")
    }

    @Test func aConstantWithAValueIsRefused() {
        check(
            "let load: @Sendable () -> Int = { 0 }",
            reports: "'load' has its value already, so nobody could give another; say what it returns where it is not "
                + "implemented by '@Endpoint(default:)'", column: 35)
    }

    @Test func aClosureThatCannotBeSentIsRefused() {
        check(
            "let load: () throws -> Int", reports: "an endpoint is called from anywhere: its closure is '@Sendable'",
            column: 15, fixIt: "add '@Sendable'", fixed: "let load: @Sendable () throws -> Int")
    }

    @Test func anAliasOfAClosureThatCannotBeSentIsRefusedWithoutAFixIt() {
        check(
            "typealias Load = () throws -> Int\n    let load: Load",
            reports: "an endpoint is called from anywhere: its closure is '@Sendable'", line: 3, column: 15)
    }

    @Test func aliasesThatNameEachOtherEndAsAnInterface() {
        check(
            "typealias A = B\n    typealias B = A\n    let load: A?",
            reports:
                "'load' is neither a closure nor another interface: say by '@Endpoint(default:)' what it is where "
                + "nobody has given it", line: 4, column: 9, fixIt: "say what it returns",
            fixed: "typealias A = B\n    typealias B = A\n    @Endpoint(default: <#value#>) let load: A?")
    }

    @Test func variadicParametersAreRefused() {
        check(
            "let sum: @Sendable (_ of: Int...) throws -> Int",
            reports: "what is variadic can't be handed on; take an array", column: 25)
    }

    @Test func aPropertyThatIsNoInterfaceNeedsAValue() {
        check(
            "let names: [String]",
            reports:
                "'names' is neither a closure nor another interface: say by '@Endpoint(default:)' what it is where "
                + "nobody has given it", column: 9, fixIt: "say what it returns",
            fixed: "@Endpoint(default: <#value#>) let names: [String]")
    }

    @Test func severalNamesInOneDeclarationAreRefused() {
        check(
            "let a, b: @Sendable () throws -> Int", reports: "an endpoint has one name; declare these apart", column: 9)
    }

    @Test func aNameThatIsNoLiteralIsRefused() {
        check(
            "@Endpoint(name) let load: @Sendable () throws -> Int",
            reports: "a name is written here as a string literal: macros see no values", column: 15,
            leaving: "let load: @Sendable () throws -> Int")
    }

    @Test func aMarkOnSomethingElseIsRefused() {
        check(
            #"@Endpoint("load") static let load = 1"#, reports: "'@Endpoint' is for stored properties; this one is not",
            column: 5, fixIt: "remove '@Endpoint'", leaving: "static let load = 1", fixed: "static let load = 1")
    }

    @Test func aConditionIsRefused() {
        check(
            "#if DEBUG\n    let load: @Sendable () throws -> Int\n    #endif",
            reports: "an endpoint inside of '#if' can't be seen by a macro", line: 3, column: 5)
    }

    @Test func aClassIsRefused() {
        Expansion.check(
            "@Interface final class C {}",
            reports: DiagnosticSpec(
                message: "'@Interface' is for a struct of closures, and not for this class", line: 1, column: 1,
                fixIts: [FixItSpec(message: "remove '@Interface'")]),
            leaving: "final class C {}", fixed: "final class C {}")
    }

    @Test func aServiceThatIsNoTypeIsRefused() {
        Expansion.check(
            "@Interface(of: service) struct I {}",
            reports: DiagnosticSpec(
                message: "name the service as a type here, as in 'UserService.self'", line: 1, column: 16),
            leaving: "struct I {}")
    }
}
#endif
