import CompileChecks
import Testing

/// What the compiler refuses, at the line, and what it takes instead.
@Suite(.serialized) struct CompileTimeTests {
    @Test(arguments: try CompileFixture.all(in: "Fixtures"))
    func aWrongUseIsRefusedAtItsLineAndItsCorrectedTwinCompiles(fixture: CompileFixture) async throws {
        let problems = try await fixture.problems(RunningCompiler())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}
