import SwiftSyntaxMacrosGenericTestSupport
import Testing
import WharfChecks

@Suite struct ErasureDiagnosticTests {
    private func check(
        _ requirement: String, reports message: String, column: Int,
        at location: Testing.SourceLocation = #_sourceLocation
    ) {
        let stripped = "protocol P<Item> {\n    associatedtype Item\n    \(requirement)\n}"
        Expansion.check(
            "@TypeErased \(stripped)", reports: DiagnosticSpec(message: message, line: 3, column: column),
            leaving: stripped, at: location)
    }

    private static let ofAType =
        "belongs to a type, but 'AnyP' holds a value of any type; move it to a separate protocol"

    @Test func aStaticMethodIsRefused() {
        check("static func make() -> Item", reports: "a static requirement \(Self.ofAType)", column: 17)
    }

    @Test func aStaticPropertyIsRefused() {
        check("static var standard: Item { get }", reports: "a static requirement \(Self.ofAType)", column: 16)
    }

    @Test func anOperatorIsRefused() {
        check("static func < (a: Item, b: Item) -> Bool", reports: "a static requirement \(Self.ofAType)", column: 17)
    }

    @Test func anInitialiserIsRefused() {
        check("init(item: Item)", reports: "an initialiser \(Self.ofAType)", column: 5)
    }

    @Test func selfParameterIsRefused() {
        check(
            "func isSame(as other: Self) -> Bool",
            reports: "a parameter of type 'Self' may have another type than the held value; use 'any' in its place",
            column: 27)
    }

    @Test func selfInsideOfAnotherTypeIsRefused() {
        check(
            "var copies: [Self] { get }",
            reports: "'Self' can be returned only by itself, not inside another type", column: 18)
    }

    @Test func selfConditionIsRefused() {
        check(
            "func sorted() where Self: Comparable",
            reports: "a condition on 'Self' can't be checked for the held value", column: 25)
    }

    @Test func variadicParametersAreRefused() {
        check(
            "func add(_ items: Item...)", reports: "a variadic parameter can't be forwarded; use an array", column: 27)
    }

    @Test func aConditionalRequirementIsRefused() {
        check(
            "#if DEBUG\n    func f()\n    #endif", reports: "a macro can't evaluate '#if'; move the requirement out",
            column: 5)
    }

    @Test func anInheritedProtocolWithRequirementsIsRefused() {
        Expansion.check(
            "@TypeErased protocol P: Sendable, Identifiable {}",
            reports: DiagnosticSpec(
                message: "the macro can't see the requirements of 'Identifiable'; restate them in 'P' and write "
                    + "'@TypeErased(restating: (any Identifiable).self)', or write 'AnyP' by hand", line: 1, column: 35),
            leaving: "protocol P: Sendable, Identifiable {}")
    }

    @Test func anInheritedProtocolThatIsNotTheRestatedOneIsRefused() {
        Expansion.check(
            "@TypeErased(restating: (any Named).self) protocol P: Store<Int> {}",
            reports: DiagnosticSpec(
                message: "the macro can't see the requirements of 'Store<Int>'; restate them in 'P' and write "
                    + "'@TypeErased(restating: (any Store).self)', or write 'AnyP' by hand", line: 1, column: 54),
            leaving: "protocol P: Store<Int> {}")
    }

    @Test func classBoundProtocolIsRefused() {
        Expansion.check(
            "@TypeErased protocol P: AnyObject {}",
            reports: DiagnosticSpec(
                message: "a struct can't be an object; write 'AnyP' by hand", line: 1, column: 25),
            leaving: "protocol P: AnyObject {}")
    }

    @Test func anAssociatedTypeThatIsNotPrimaryIsRefused() {
        Expansion.check(
            "@TypeErased protocol P {\n    associatedtype Item\n}",
            reports: DiagnosticSpec(
                message: "'Item' is not a primary associated type, so 'AnyP' can't know it", line: 2,
                column: 20, fixIts: [FixItSpec(message: "write 'P<Item>'")]),
            leaving: "protocol P {\n    associatedtype Item\n}",
            fixed: "@TypeErased protocol P<Item> {\n    associatedtype Item\n}")
    }

    @Test func fixItAddsMissingPrimaryAssociatedType() {
        let members = "{\n    associatedtype A\n    associatedtype B\n}"
        Expansion.check(
            "@TypeErased protocol P<A> \(members)",
            reports: DiagnosticSpec(
                message: "'B' is not a primary associated type, so 'AnyP' can't know it", line: 3,
                column: 20, fixIts: [FixItSpec(message: "write 'P<A, B>'")]),
            leaving: "protocol P<A> \(members)", fixed: "@TypeErased protocol P<A, B> \(members)")
    }

    @Test func aStructIsRefused() {
        Expansion.check(
            "@TypeErased struct S {}",
            reports: DiagnosticSpec(
                message: "'@TypeErased' applies to a protocol, not to this struct", line: 1, column: 1,
                fixIts: [FixItSpec(message: "remove '@TypeErased'")]),
            leaving: "struct S {}", fixed: "struct S {}")
    }
}
