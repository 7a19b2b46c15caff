import Testing
import WharfChecks
import WharfCore
import WharfDependencies
import WharfErrors
import WharfGraphQL
import WharfJSON

struct CodedErrorTests {
    private struct Failure: CodedError {
        struct Code: ErrorCode {
            let name: String
            init(_ name: String) { self.name = name }
        }

        let code = Code("late")
        let message = "the ferry has left"
    }

    @Test func descriptionIsCodeAndMessage() {
        #expect("\(Failure())" == "late: the ferry has left")
        #expect("\(Failure().code)" == "late")
        #expect(Failure().cause == nil)
    }

    @Test func codesWithEqualNamesAreEqual() {
        #expect(Failure().code == Failure.Code("late"))
        #expect(DependencyError.Code("unimplemented") == .unimplemented)
        #expect(GenerationError.Code("tooSelective") == .tooSelective)
        #expect(GraphQLSyntaxError.Code("tooDeep") == .tooDeep)
        #expect(JSONIssue.Code("tooDeep") == .tooDeep)
    }

    @Test func errorsOfContractsAreCaughtByTheirShape() {
        let errors: [any Error] = [
            StoreError(.full, message: "no room"), TransportError(.offline, message: "no network"),
            ReadFailure(.nothingKept, message: "never read"), WriteFailure(.refused, message: "not allowed"),
            DeliveryFailure(.rejected, message: "422"),
        ]
        #expect(
            Self.described(errors) == [
                "full|no room", "offline|no network", "nothingKept|never read", "refused|not allowed", "rejected|422",
            ])
    }

    @Test func errorsOfModulesBelowTheCoreHaveTheSameShape() {
        let issue = JSONIssue(
            code: .missingKey, path: JSONPath(), location: SourceLocation(offset: 0, line: 1, column: 1),
            expected: "the key \"id\"", found: "none", excerpt: SourceExcerpt())
        let errors: [any Error] = [
            JSONError(issue), DependencyError(.wrongType, message: "an Int"),
            GraphQLSyntaxError(.syntax, message: "expected a name"),
        ]
        #expect(
            Self.described(errors) == [
                "missingKey|1:1: expected the key \"id\", found none", "wrongType|an Int", "syntax|expected a name",
            ])
        #expect(GenerationError.self as any Any.Type is any CodedError.Type)
    }

    private static func described(_ errors: [any Error]) -> [String] {
        errors.compactMap { error in (error as? any CodedError).map { "\($0.code)|\($0.message)" } }
    }
}
