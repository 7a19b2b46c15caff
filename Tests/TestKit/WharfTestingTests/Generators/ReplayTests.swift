import Testing

@testable import WharfChecks

@Suite struct ReplayTests {
    @Test func theEnvironmentReportsWhichSeedAndHowManyRuns() throws {
        let replay = try Replay(["WHARF_SEED": "18446744073709551615", "WHARF_RUNS": "7"])
        #expect(replay.seed == .max && replay.runs == 7)
        let nothing = try Replay([:])
        #expect(nothing.seed == nil && nothing.runs == nil)
    }

    @Test(arguments: [
        ("WHARF_SEED", "x"), ("WHARF_SEED", ""), ("WHARF_SEED", "-1"), ("WHARF_RUNS", "-1"), ("WHARF_RUNS", "0"),
    ])
    func invalidNumberInTheEnvironmentIsAnError(name: String, value: String) {
        let error = #expect(throws: GenerationError.self) { try Replay([name: value]) }
        #expect(error?.code == .invalidEnvironment)
        #expect(error?.message.contains("\(name), found \"\(value)\"") == true)
    }
}
