import Testing
import WharfCore
import WharfPrimitives
import WharfStorage

@testable import WharfOutbox

// Destinations that limit the rate, fail, or refuse the credential.
extension ScheduleTests {
    private func lease(_ number: Int64, lane: String = "lane") -> Lease {
        Lease(lane: .init(name: lane, destination: "api"), number: number)
    }

    /// Leases `count` lanes, each of which sends a request.
    private mutating func send(_ count: Int, at seconds: Int64 = 0) {
        schedule.recordLease(count, of: "api", asked: count)
        for number in 0..<Int64(count) {
            let begins = schedule.beginRequest(lease(number, lane: "\(number)"), at: at(seconds).uptime)
            #expect(begins)
        }
    }

    private mutating func answered(_ number: Int64, at seconds: Int64) {
        _ = schedule.releasePermit("api", number, hasSucceeded: false, at: at(seconds).uptime)
        schedule.endLane("api")
    }

    private mutating func fail(
        _ lane: Int64, _ generation: Schedule.Generation, after: Duration? = nil, at seconds: Int64
    ) {
        _ = schedule.recordFailure(
            "api", lane: "\(lane)", lane, generation, after: after, since: 0, at: at(seconds).uptime, using: &random)
    }

    /// The limit is below the number of permits then.
    @Test mutating func aHangingRequestReleasesItsPermitAlsoAfterCongestion() {
        settle()
        send(2)
        fail(0, schedule.generation(of: "api"), at: 1)
        answered(0, at: 1)
        // One request is allowed, and it hangs.
        schedule.wake()
        #expect(schedule.next(at: at(1)) != .lease("api", lanes: 1))
        #expect(schedule.next(at: at(2)) == .releasePermits("api", 1))
        #expect(schedule.next(at: at(2)) == .lease("api", lanes: 1))
    }

    @Test mutating func aHangingRequestKeepsNoProbeFromBeingSent() {
        settle()
        send(2)
        let generation = schedule.generation(of: "api")
        for _ in 0..<5 { fail(0, generation, at: 1) }
        answered(0, at: 1)
        #expect(schedule.admissions["api"]?.nextProbe != nil)
        schedule.wake()
        // The breaker's pause is over, and the other request still hangs.
        var steps: [Schedule.Step] = []
        for _ in 0..<4 { steps.append(schedule.next(at: at(60))) }
        #expect(steps.contains(.lease("api", lanes: 1)))
    }

    @Test mutating func rateLimitHoldIsCapped() {
        var schedule = Schedule(
            width: 2, probes: Backoff(base: .seconds(4), cap: .seconds(60)), longestHold: .seconds(100))
        schedule.isStarted = true
        schedule.register("api")
        _ = schedule.recordRateLimit("api", 0, after: .seconds(1 << 40), at: at(0).uptime, using: &random)
        #expect(schedule.admissions["api"]?.heldUntil == at(100).uptime)
    }

    @Test mutating func answersToOneBurstMakeOnePause() {
        settle()
        for _ in 0..<32 { _ = schedule.recordRateLimit("api", 0, after: nil, at: at(0).uptime, using: &random) }
        // The bound is 15 s plus the first bound of the backoff.
        #expect(schedule.admissions["api"]?.heldUntil.map { $0.nanoseconds <= at(19).uptime.nanoseconds } == true)
    }

    @Test mutating func rateLimitsWithZeroRetryAfterBackOff() {
        schedule = Schedule(
            width: 2, probes: Backoff(base: .seconds(4), cap: .seconds(60)),
            jitter: Backoff(base: .seconds(1), cap: .seconds(60)))
        settle()
        var now: Int64 = 0
        for _ in 0..<6 {
            _ = schedule.recordRateLimit("api", 0, after: .zero, at: at(now).uptime, using: &random)
            now += 100
            _ = schedule.next(at: at(now))
        }
        _ = schedule.recordRateLimit("api", 0, after: .zero, at: at(now).uptime, using: &random)
        #expect(schedule.admissions["api"]?.heldUntil.map { $0.nanoseconds > at(now + 30).uptime.nanoseconds } == true)
    }

    @Test mutating func returningNetworkDoesNotLiftACredentialHold() {
        settle()
        _ = schedule.recordUnauthenticated("api", schedule.generation(of: "api"), at: at(0).uptime, using: &random)
        schedule.recordNetworkReturn()
        #expect(schedule.admissions["api"]?.nextProbe != nil)
        schedule.credentialChanged()
        #expect(schedule.admissions["api"]?.nextProbe == nil)
    }

    /// The probe for the credential met a failure of another kind.
    @Test mutating func newCredentialLiftsTheHoldDespiteALaterFailure() {
        settle()
        _ = schedule.recordUnauthenticated("api", schedule.generation(of: "api"), at: at(0).uptime, using: &random)
        _ = schedule.next(at: at(4))
        fail(7, schedule.generation(of: "api"), at: 4)
        #expect(schedule.admissions["api"]?.nextProbe != nil)
        schedule.credentialChanged()
        #expect(schedule.admissions["api"]?.nextProbe == nil)
    }

    @Test mutating func aLaneThatFailsAloneShowsNoCongestion() {
        settle()
        for number in 0..<20 {
            _ = schedule.recordReached("api", lane: "good")
            _ = schedule.recordFailure(
                "api", lane: "bad", 7, schedule.generation(of: "api"), after: nil, since: number, at: at(0).uptime,
                using: &random)
        }
        #expect(schedule.admissions["api"]?.concurrency.limit == 2)
        #expect(schedule.admissions["api"]?.nextProbe == nil)
    }

    @Test mutating func failuresFromBeforeARecoveryOpenNoBreaker() {
        settle()
        let old = schedule.generation(of: "api")
        schedule.closeBreakers()
        for lane in 0..<5 { fail(Int64(lane), old, at: 1) }
        fail(9, schedule.generation(of: "api"), at: 1)
        #expect(schedule.admissions["api"]?.nextProbe == nil)
    }
}
