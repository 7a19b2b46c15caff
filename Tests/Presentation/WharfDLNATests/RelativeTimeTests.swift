import Testing
import WharfChecks

@testable import WharfDLNA

@Suite struct RelativeTimeTests {
    private static let time = Generator<Int64>.int(in: 0...3_600_000 * 200_000).map { Duration.milliseconds($0) }

    @Test func printedTimeIsParsedBack() async throws {
        try await forAll(Self.time, runs: 2_000) { time in
            let text = RelativeTime.print(time)
            try require(RelativeTime.parse(text) == time, "\(text) for \(time)")
        }
    }

    @Test func anyTextIsATimeOrNone() async throws {
        let scalars = Generator<Unicode.Scalar>.element(of: Array("0123456789:./+-N ".unicodeScalars))
        try await forAll(.string(of: scalars, count: 0...40), runs: 5_000) { text in
            guard let time = RelativeTime.parse(text) else { return }
            guard time >= .zero else { return }
            let again = RelativeTime.parse(RelativeTime.print(time))
            try require(
                again.map { time - $0 < .milliseconds(1) } == true, "\(text) is \(time), and then \(again as Any)")
        }
    }

    @Test(arguments: [
        ("0:00:00", Duration.zero), ("1:02:03", .seconds(3723)), ("00:01:05", .seconds(65)),
        ("0:00:57.500", .milliseconds(57_500)),
        ("0:00:01.5", .milliseconds(1500)), ("0:00:01.000000001", .nanoseconds(1_000_000_001)),
        ("+0:00:01", .seconds(1)),
        ("-0:00:01", .seconds(-1)), ("100:00:00", .seconds(360_000)), ("0:00:01.1/4", .milliseconds(1250)),
        ("01:05", .seconds(65)),
        ("0:00:00.12345678901234567890", .nanoseconds(123_456_789)),
    ])
    func theFormsOfTheStandardAreParsed(text: String, time: Duration) {
        #expect(RelativeTime.parse(text) == time)
    }

    @Test(arguments: [
        "NOT_IMPLEMENTED", "", ":", "::", "1", "0:60:00", "0:00:60", "0:00:0a", "0:00:01.", "0:00:01.1/0",
        "0:00:01.4/4", "0:0:0:0",
        "99999999999999999999:00:00", "0:00: 1", "٠:٠٠:٠١",
    ])
    func malformedTimeIsNil(text: String) {
        #expect(RelativeTime.parse(text) == nil)
    }

    @Test func timeIsPrintedInTheCommonForm() {
        #expect(RelativeTime.print(.seconds(3723)) == "01:02:03")
        #expect(RelativeTime.print(.milliseconds(57_500)) == "00:00:57.500")
        #expect(RelativeTime.print(.seconds(-5)) == "00:00:00")
        #expect(RelativeTime.print(.seconds(360_000)) == "100:00:00")
    }
}
