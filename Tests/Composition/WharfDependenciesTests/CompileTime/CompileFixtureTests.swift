import CompileChecks
import Foundation
import Testing

/// Tests the check of fixtures with fixtures that are wrong themselves.
@Suite(.serialized) struct CompileFixtureTests {
    @Test func expectedErrorWithCorrectedTwinHasNoProblem() async throws {
        let text = """
            #if CORRECTED
            let number: Int = 1
            #else
            let number: Int = ""  // expect-error: cannot convert value of type 'String'
            #endif
            """
        #expect(try await problems(of: text) == [])
    }

    @Test func errorAtAnotherLineIsReported() async throws {
        let text = """
            #if !CORRECTED
            // expect-error: cannot convert value of type 'String'
            let number: Int = ""
            #endif
            """
        let problems = try await problems(of: text)
        #expect(problems.count == 2)
        #expect(problems.first?.hasPrefix("unexpected: line 3: error: cannot convert") == true, "\(problems)")
        #expect(problems.last == "missing: line 2: error: cannot convert value of type 'String'")
    }

    @Test func missingErrorIsReported() async throws {
        let problems = try await problems(of: "let number = 1  // expect-error: anything")
        #expect(problems == ["missing: line 1: error: anything"])
    }

    @Test func correctedTwinThatFailsIsReported() async throws {
        let problems = try await problems(of: "let number: Int = nothing  // expect-error: cannot find 'nothing'")
        #expect(problems == ["the corrected twin: line 1: error: cannot find 'nothing' in scope"])
    }

    @Test func warningIsReported() async throws {
        let text = """
            func f() {
                let unused = 1
            }
            #if !CORRECTED
            let number: Int = nothing  // expect-error: cannot find 'nothing'
            #endif
            """
        let problems = try await problems(of: text)
        #expect(problems.count == 2 && problems.allSatisfy { $0.contains("line 2: warning: ") }, "\(problems)")
    }

    @Test func fixtureWithoutExpectationIsReported() async throws {
        let problems = try await problems(of: "let number = 1")
        #expect(problems.count == 1 && problems[0].contains("expects nothing"))
    }

    private func problems(of text: String) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fixture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
        }
        let file = folder.appending(path: "Fixture.swift")
        try Data(text.utf8).write(to: file)
        return try await CompileFixture(file: file).problems(RunningCompiler())
    }
}
