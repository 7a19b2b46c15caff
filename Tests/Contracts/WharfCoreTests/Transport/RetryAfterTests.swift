import Testing
import WharfCore

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110 §5.6.7.
    private let example = WallTime(secondsSince1970: 784_111_777)

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("Sun, 06 Nov 1994 08:49:40 GMT", 3), ("Sunday, 06-Nov-94 08:49:40 GMT", 3),
            ("Sun Nov  6 08:49:40 1994", 3), ("Sun, 06 Nov 1994 08:49:30 GMT", 0),
        ] as [(String, Int64)])
    func secondsAndDatesAreRead(_ row: (value: String, seconds: Int64)) {
        #expect(RetryAfter.delay(in: [.retryAfter: row.value], now: example) == .seconds(row.seconds))
    }

    @Test(arguments: [
        "", "-1", "1.5", "soon", "5 seconds", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nox 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    ])
    func invalidRetryAfterIsIgnored(_ value: String) {
        #expect(RetryAfter.delay(in: [.retryAfter: value], now: example) == nil)
    }

    @Test func hugeRetryAfterIsALongDelay() throws {
        let delay = try #require(RetryAfter.delay(in: [.retryAfter: String(repeating: "9", count: 40)], now: example))
        #expect(delay > .seconds(1_000_000_000))
    }
}
