import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfOutbox

/// A receiver that limits the rate of requests, and an app that limits its own.
struct RateLimitTests {
    private let api = RecordingDestination("api", kinds: ["note"])

    private func enqueue(_ count: Int, _ stage: Stage) async throws {
        try await stage.outbox.enqueue((0..<count).map { .sample("\(100 + $0)", lane: "\($0)") }, changing: [])
    }

    private func untilAllAreGone(_ count: Int, _ stage: Stage) async throws {
        for number in 0..<count { try await stage.untilGone("\(100 + number)") }
    }

    @Test(arguments: [429, 503]) func retryAfterHoldsAllLanes(status: Int) async throws {
        let isOver = Mutex(false)
        let api = api
        api.answers { _, _ in
            if isOver.withLock({ $0 }) { return .delivered }
            let failure = DeliveryFailure(status == 429 ? .rateLimited : .unavailable, message: "no", status: status)
            return Delivery(
                status == 429 ? .rateLimited(failure, after: .seconds(30)) : .retry(failure, after: .seconds(30)))
        }
        try await Stage(api, retry: OutboxRetry(base: .seconds(1))).run { stage in
            try await enqueue(300, stage)
            await api.untilReceived(1)
            await stage.untilIdle()
            // At most the requests in flight.
            let tries = api.received.count
            #expect(tries <= 4)
            stage.clock.advance(by: .seconds(29))
            await stage.untilQuiet()
            await stage.untilIdle()
            #expect(api.received.count == tries)
            isOver.withLock { $0 = true }
            stage.clock.advance(by: .seconds(2))
            // An attempt that counts waits for its lane's backoff too.
            try await stage.until("all are gone") {
                if stage.clock.nextDeadline != nil { stage.clock.advance(by: .seconds(2)) }
                return try await stage.memory.counts(of: nil).pending.isEmpty
            }
        }
    }

    @Test func aRateLimitUsesUpNoAttempt() async throws {
        api.answers { _, attempt in attempt <= 20 ? .rateLimited(after: .seconds(30)) : .delivered }
        try await Stage(api, retry: OutboxRetry(attempts: 2, base: .seconds(1))).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            for attempt in 1...20 {
                await api.untilReceived(attempt)
                try await stage.untilFailed("a", attempts: 0)
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(31))
            }
            try await stage.untilGone("a")
        }
    }

    @Test func rateLimitWithoutRetryAfterBacksOff() async throws {
        api.answers { _, attempt in attempt <= 4 ? .rateLimited() : .delivered }
        try await Stage(api, retry: OutboxRetry(base: .seconds(4), cap: .seconds(600))).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            // The 15 s that the receiver asks for, and in addition the backoff of the probes.
            for (attempt, pause) in [19, 23, 31, 47].enumerated() {
                await api.untilReceived(attempt + 1)
                try await stage.untilFailed("a", attempts: 0)
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(pause - 1))
                await stage.untilQuiet()
                await stage.untilIdle()
                #expect(api.received.count == attempt + 1)
                stage.clock.advance(by: .seconds(1))
            }
            try await stage.untilGone("a")
        }
    }

    /// The success has the header `RateLimit: "hour";r=0;t=60`.
    @Test func usedUpQuotaHoldsTheDestinationUntilItsReset() async throws {
        api.answers { entry, _ in
            Delivery(.delivered, quotaResetsAfter: entry.id.text == "100" ? .seconds(60) : nil)
        }
        try await Stage(api, retry: OutboxRetry(base: .zero), width: 1).run { stage in
            try await enqueue(5, stage)
            try await stage.untilGone("100")
            await stage.untilIdle()
            #expect(api.received.count == 1)
            await stage.wake(after: .seconds(60))
            try await untilAllAreGone(5, stage)
        }
    }

    @Test func drainWaitsForTheAppRateLimit() async throws {
        let stage = Stage(api, policy: { _ in DeliveryPolicy(rate: RateLimit(10, per: .seconds(1))) })
        try await enqueue(25, stage)
        let draining = Task { try await stage.outbox.drain() }
        for second in 1...2 {
            await api.untilReceived(second * 10)
            await stage.wake(after: .seconds(1))
        }
        let report = try await draining.value
        #expect(report.delivered == 25 && report.isComplete)
        await stage.outbox.close()
    }

    @Test func rateLimitedDrainIsIncomplete() async throws {
        api.answers { _, _ in .rateLimited(after: .seconds(30)) }
        let stage = Stage(api)
        try await enqueue(10, stage)
        let report = try await stage.outbox.drain()
        #expect(report.delivered == 0 && !report.isComplete && !report.remaining.pending.isEmpty)
        await stage.outbox.close()
    }

    /// A limit of the destination itself is no answer of its receiver.
    @Test func clientThrottleHoldsWithoutReducingConcurrency() async throws {
        api.answers { _, attempt in
            guard attempt == 1 else { return .delivered }
            return Delivery(.rateLimited(DeliveryFailure(.rateLimited, message: "later"), after: .seconds(9)))
        }
        try await Stage(api, retry: OutboxRetry(base: .zero)).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilFailed("a", attempts: 0)
            await stage.untilIdle()
            let limit = stage.outbox.state.withLock { $0.schedule.admissions["api"]?.concurrency.limit }
            #expect(limit == 4)
            await stage.wake(after: .seconds(9))
            try await stage.untilGone("a")
        }
    }

    @Test func appRateLimitIsNeverExceeded() async throws {
        let policy = DeliveryPolicy(rate: RateLimit(10, per: .seconds(1)))
        let sent = Mutex<[TestClock.Instant]>([])
        let stage = Stage(api, policy: { _ in policy })
        api.answers { [clock = stage.clock] _, _ in
            sent.withLock { $0.append(clock.now) }
            return .delivered
        }
        try await stage.run { stage in
            try await enqueue(45, stage)
            for second in 1...4 {
                await api.untilReceived(second * 10)
                await stage.untilIdle()
                #expect(api.received.count == second * 10)
                stage.clock.advance(by: .seconds(1))
            }
            try await untilAllAreGone(45, stage)
        }
        let times = sent.withLock { $0 }
        for (first, eleventh) in zip(times, times.dropFirst(10)) {
            #expect(first.duration(to: eleventh) >= .seconds(1))
        }
    }
}
