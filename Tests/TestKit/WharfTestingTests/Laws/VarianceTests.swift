import CompileChecks
import Testing

/// The rules that the compiler enforces: each wrong use in the folder Variance is refused at the
/// expected line, and its corrected version compiles.
@Suite struct VarianceTests {
    @Test(arguments: try CompileFixture.all(in: "Variance"))
    func compilerRefusesEachWrongUseAtItsLine(fixture: CompileFixture) async throws {
        let problems = try await fixture.problems(RunningCompiler())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}
