import Testing
import WharfCore

@testable import WharfOutbox

/// Compares the backoff and limits of `OutboxRetry.default` with Segment's and Apprise's.
///
/// - Segment: `segmentio/analytics-swift` at c9a0d63, `HttpConfig.swift` and
///   `RetryStateMachine.swift` in `Sources/Segment/Utilities/Retry`. Its tests are
///   `RetryStateMachine_Tests.swift` and `RetryAfterGenericTests.swift` in
///   `Tests/Segment-Tests/Retry_Tests`.
/// - Apprise: `caronc/apprise` at cf17bc9, `apprise/common.py`, `apprise/plugins/base.py` and
///   `apprise/apprise.py`. Its tests are `tests/test_retry_wait.py`.
///
/// Segment's jitter adds up to 10 % and never exceeds the cap, so at the cap there is none. Apprise
/// waits for `?wait=`, which is zero by default and 20 s at most, and never grows.
@Suite struct OutboxRetryTableTests {
    /// The range of the backoff after a failure, in seconds.
    struct Pause: Sendable {
        let failures: Int
        var retryAfter: Int64?
        let segment: ClosedRange<Double>
        let apprise: ClosedRange<Double>
        let wharf: ClosedRange<Double>
        let reason: String
    }

    private static let jitter =
        "A random part of the whole bound (full jitter) spreads clients that failed at the same moment; 10 % leaves "
        + "them together."

    static let pauses: [Pause] = [
        Pause(
            failures: 1, segment: 0.5...0.55, apprise: 0...20, wharf: 0...1,
            reason: "\(jitter) The mean of the first pause is about half a second in both."),
        Pause(failures: 2, segment: 1...1.1, apprise: 0...20, wharf: 0...2, reason: jitter),
        Pause(failures: 5, segment: 8...8.8, apprise: 0...20, wharf: 0...16, reason: jitter),
        Pause(failures: 9, segment: 128...140.8, apprise: 0...20, wharf: 0...256, reason: jitter),
        Pause(
            failures: 11, segment: 300...300, apprise: 0...20, wharf: 0...1_024,
            reason: "At 300 s a hundred attempts are over after 8 h, and an outage of a night loses events. At an "
                + "hour, of which half is drawn on average, they last for two days."),
        Pause(
            failures: 99, segment: 300...300, apprise: 0...20, wharf: 0...3_600,
            reason: "An hour instead of 300 s, as above."),
        Pause(
            failures: 1, retryAfter: 30, segment: 30...30, apprise: 0...20, wharf: 30...31,
            reason: "Segment's clients all come back at the second that the service named; the backoff is added, to "
                + "spread them."),
        Pause(
            failures: 1, retryAfter: 99_999, segment: 300...300, apprise: 0...20, wharf: 86_400...86_401,
            reason: "The service named the time, and refuses what comes before it. A day bounds a service that errs."),
    ]

    @Test(arguments: pauses.indices) func defaultPauseIsThatOfItsRow(index: Int) {
        let row = Self.pauses[index]
        var (smallest, largest) = (Smallest(), Largest())
        let asked = row.retryAfter.map { Duration.seconds($0) }
        let shortest = OutboxRetry.default.pause(
            afterFailures: row.failures, retryAfter: asked, using: &smallest)
        let longest = OutboxRetry.default.pause(
            afterFailures: row.failures, retryAfter: asked, using: &largest)
        #expect(shortest == .seconds(row.wharf.lowerBound))
        // The bound itself is never drawn.
        #expect(longest < .seconds(row.wharf.upperBound))
        #expect(longest > .seconds(row.wharf.upperBound) - .milliseconds(1))
    }

    /// Whether a queue gives up an entry after the attempts and age, and why the queues differ.
    struct Limit: Sendable {
        let attempts: Int
        let age: Int64
        let segment: Bool
        let wharf: Bool
        let reason: String
    }

    /// Apprise gives up after 1 attempt, or after 11 with the largest `?retry=`. It has no limit of
    /// age.
    static let limits: [Limit] = [
        Limit(attempts: 99, age: 3_600, segment: false, wharf: false, reason: ""),
        Limit(attempts: 100, age: 3_600, segment: true, wharf: true, reason: ""),
        Limit(
            attempts: 3, age: 43_201, segment: true, wharf: false,
            reason: "Segment drops an event after 12 h of failures. An edit that a user has made is worth a week, "
                + "and becomes a dead letter then, which the user can send again."),
        Limit(attempts: 3, age: 604_800, segment: true, wharf: true, reason: ""),
        Limit(
            attempts: 2, age: 604_800, segment: true, wharf: false,
            reason: "A clock that was set forward makes any entry old; without three attempts the age proves nothing."),
    ]

    @Test(arguments: limits.indices) func defaultGivesUpAtTheLimitOfItsRow(index: Int) {
        let row = Self.limits[index]
        let now = WallTime.start + .seconds(row.age)
        let given = OutboxRetry.default.exhaustion(attempts: row.attempts, since: .start, at: now)
        #expect((given != nil) == row.wharf)
        // HttpConfig.swift: maxRetryCount 100, maxTotalBackoffDuration 43 200 s.
        #expect(row.segment == (row.attempts >= 100 || row.age > 43_200))
        if row.segment != row.wharf { #expect(!row.reason.isEmpty) }
    }
}

private struct Smallest: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0 }
}
