import CompileChecks
import Testing

/// The rules that the compiler keeps: each wrong use in the folder Variance is refused at the line
/// that says so, and its corrected twin compiles.
@Suite struct VarianceTests {
    @Test(arguments: try CompileFixture.all(in: "Variance"))
    func theCompilerRefusesWhatIsWrong(fixture: CompileFixture) async throws {
        let problems = try await fixture.problems(RunningCompiler())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}
