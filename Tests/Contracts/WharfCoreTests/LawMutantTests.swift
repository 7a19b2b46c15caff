import Testing
import WharfChecks

/// The check that laws can fail must itself be able to fail.
@Suite struct LawMutantTests {
    private static let suite = [even, small]
    private static let even = Law<Int>("it is even") { try require($0 % 2 == 0, "\($0) is odd") }
    private static let small = Law<Int>("it is small") { try require($0 < 10, "\($0) is large") }
    private static let right = [LawMutant(breaks: "it is even", 3), LawMutant(breaks: "it is small", 12)]

    @Test func aMutantOfEachLawProvesTheSuite() async throws {
        for law in Self.suite { try await law.prove(by: Self.right, in: Self.suite) }
    }

    @Test(arguments: [
        ([], "no mutant breaks it"),
        ([LawMutant(breaks: "it is even", 4)], "4 does not break it"),
        ([LawMutant(breaks: "it is even", 3), LawMutant(breaks: "it is even", 2)], "2 does not break it"),
        ([LawMutant(breaks: "it is even", 11)], "breaks the law \"it is small\": 11 is large"),
        (right + [LawMutant(breaks: "it is odd", 4)], "unknown law: \"it is odd\""),
    ])
    func unprovenLawIsReportedWithItsReason(mutants: [LawMutant<Int>], found: String) async throws {
        let error = await #expect(throws: Law<Int>.Unproven.self) {
            try await Self.even.prove(by: mutants, in: Self.suite)
        }
        #expect(error?.description.contains(found) == true)
        #expect(error?.law == "it is even")
    }

    @Test func lawsWithTheSameNameAreRefused() async throws {
        let error = await #expect(throws: Law<Int>.Unproven.self) {
            try await Self.small.prove(by: Self.right, in: Self.suite + [Self.even])
        }
        #expect(error?.description.contains("2 laws have the name \"it is even\"") == true)
    }

    @Test func violationsComeInTheOrderOfTheSuite() async throws {
        let broken = try await Self.suite.violations(by: 13)
        #expect(broken.map(\.law) == Self.suite.map(\.name))
        #expect(try await Self.suite.violations(by: 2).isEmpty)
    }
}
