import CompileChecks
import Testing

/// Uses that the compiler refuses, each at its line, and the correct uses that it accepts.
@Suite(.serialized) struct CompileTimeTests {
    @Test(arguments: try CompileFixture.all(in: "Fixtures"))
    func aWrongUseIsRefusedAtItsLineAndItsCorrectedTwinCompiles(fixture: CompileFixture) async throws {
        let problems = try await fixture.problems(RunningCompiler())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}
