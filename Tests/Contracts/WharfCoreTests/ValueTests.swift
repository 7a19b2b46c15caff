import Testing
import WharfCore
import WharfRandom

@Suite struct WallTimeTests {
    @Test func arithmeticSaturatesInsteadOfTrapping() {
        #expect(WallTime.distantFuture + .seconds(1) == .distantFuture)
        #expect(WallTime.distantPast - .seconds(1) == .distantPast)
        #expect(WallTime(nanoseconds: 0) + .seconds(Int64.max) == .distantFuture)
        #expect(WallTime(nanoseconds: 0) - .seconds(Int64.max) < WallTime(nanoseconds: 0))
        #expect(WallTime.distantFuture - WallTime.distantPast == .nanoseconds(Int64.max))
        #expect(WallTime.distantPast - WallTime.distantFuture == .nanoseconds(Int64.min))
        #expect(WallTime(secondsSince1970: .max) == .distantFuture)
    }

    @Test(arguments: [(1_500_000_000, 1), (-1, -1), (-1_000_000_000, -1), (-1_000_000_001, -2), (0, 0)])
    func secondsAreRoundedDown(nanoseconds: Int64, seconds: Int64) {
        #expect(WallTime(nanoseconds: nanoseconds).secondsSince1970 == seconds)
    }

    @Test func theSystemClockIsInThisCentury() {
        #expect(SystemWallClock().now() > WallTime(secondsSince1970: 1_700_000_000))
    }
}

@Suite struct RetryPolicyTests {
    @Test(arguments: 1...8)
    func backoffStaysUnderADoublingBound(failures: Int) throws {
        let policy = RetryPolicy(attempts: 10, base: .milliseconds(100), cap: .seconds(2))
        let bound = min(.seconds(2), Duration.milliseconds(100 << (failures - 1)))
        var random = SeededGenerator(seed: UInt64(failures))
        var longest = Duration.zero
        for _ in 0..<1_000 {
            let pause = try #require(policy.delay(afterFailures: failures, using: &random))
            #expect(pause >= .zero && pause < bound)
            longest = max(longest, pause)
        }
        // Full jitter fills the whole range.
        #expect(longest > bound * 0.9)
    }

    @Test func retriesEndAfterTheLastAttempt() {
        var random = SeededGenerator(seed: 1)
        #expect(RetryPolicy(attempts: 3).delay(afterFailures: 2, using: &random) != nil)
        #expect(RetryPolicy(attempts: 3).delay(afterFailures: 3, using: &random) == nil)
        #expect(RetryPolicy.never.delay(afterFailures: 1, using: &random) == nil)
    }

    @Test func retryAfterIsALowerBound() throws {
        var random = SeededGenerator(seed: 1)
        let policy = RetryPolicy(longestRetryAfter: .seconds(30))
        let pause = try #require(policy.delay(afterFailures: 1, retryAfter: .seconds(30), using: &random))
        #expect(pause >= .seconds(30) && pause < .seconds(31))
        #expect(policy.delay(afterFailures: 1, retryAfter: .seconds(31), using: &random) == nil)
    }

    @Test func hugeCountsOfFailuresDoNotOverflow() {
        var random = SeededGenerator(seed: 1)
        let policy = RetryPolicy(attempts: .max, base: .seconds(1), cap: .seconds(5))
        #expect(policy.delay(afterFailures: 1_000_000, using: &random).map { $0 <= .seconds(5) } == true)
    }
}

@Suite struct CacheStatusTests {
    static let cases: [(CacheStatus, String)] = [
        (CacheStatus(hit: true, ttl: 30), "wharf; hit; ttl=30"),
        (
            CacheStatus(hit: false, forward: .uriMiss, forwardStatus: 200, stored: true),
            "wharf; fwd=uri-miss; fwd-status=200; stored"
        ),
        (CacheStatus(hit: true, forward: .stale, ttl: -5, detail: "STALE"), "wharf; fwd=stale; ttl=-5; detail=STALE"),
        (CacheStatus(hit: false, forward: .varyMiss, stored: false), "wharf; fwd=vary-miss; stored=?0"),
        (CacheStatus(hit: false, forward: .partial, forwardStatus: 206), "wharf; fwd=partial; fwd-status=206"),
        (collapsed(true, CacheStatus(hit: false, forward: .stale, ttl: 9)), "wharf; fwd=stale; ttl=9; collapsed"),
        (collapsed(false, CacheStatus(hit: false, forward: .uriMiss)), "wharf; fwd=uri-miss; collapsed=?0"),
    ]

    private static func collapsed(_ isReused: Bool, _ status: CacheStatus) -> CacheStatus {
        var status = status
        status.collapsed = isReused
        return status
    }

    @Test(arguments: cases)
    func cacheStatusIsWrittenAsAStructuredField(status: CacheStatus, text: String) {
        #expect(status.fieldValue() == text)
    }
}

@Suite struct FreshnessTests {
    @Test func ageIsTheGreaterEstimatePlusResidentTime() {
        let freshness = Freshness(
            apparentAge: .seconds(3), correctedAge: .seconds(7), residentTime: .seconds(10),
            freshnessLifetime: .seconds(17), basis: .maxAge
        )
        #expect(freshness.currentAge == .seconds(17))
        #expect(!freshness.isFresh)
        #expect(freshness.staleness == .zero)
    }
}

@Suite struct ReadPolicyTests {
    @Test(arguments: ReadPolicy.all)
    func aPolicyIsFoundByItsName(policy: ReadPolicy) {
        #expect(ReadPolicy(name: policy.name) == policy)
    }

    @Test func anUnknownNameIsNoPolicy() {
        #expect(ReadPolicy(name: "always") == nil)
    }
}
