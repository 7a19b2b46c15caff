import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

/// The circuit breaker: receivers that fail requests, and receivers whose requests hang.
struct BreakerTests {
    private let api = RecordingDestination("api", kinds: ["note"])

    private func enqueue(_ count: Int, _ stage: Stage) async throws {
        try await stage.outbox.enqueue((0..<count).map { .sample("\(100 + $0)", lane: "\($0)") }, changing: [])
    }

    @Test func failingReceiverGetsOnlyProbes() async throws {
        api.answers { _, _ in .unavailable }
        try await Stage(api, retry: OutboxRetry(base: .seconds(60), cap: .seconds(60))).run { stage in
            try await enqueue(300, stage)
            await api.untilReceived(5)
            await stage.untilIdle()
            // Five failures, and the requests in flight at the fifth.
            #expect(api.received.count <= 5 + 3)
            let tries = api.received.count
            stage.clock.advance(by: .seconds(59))
            await stage.untilQuiet()
            await stage.untilIdle()
            // While open, one untried lane may be tried per 30 s.
            #expect(api.received.count <= tries + 2)
            let before = api.received.count
            stage.clock.advance(by: .seconds(1))
            await stage.until("it was probed") { api.received.count > before }
            await stage.untilIdle()
            #expect(api.received.count == before + 1)
        }
    }

    @Test func aReceiverThatRecoversGetsEverything() async throws {
        let isUp = Mutex(false)
        api.answers { _, _ in isUp.withLock { $0 } ? .delivered : .unavailable }
        try await Stage(api, retry: OutboxRetry(base: .seconds(4), cap: .seconds(60))).run { stage in
            try await enqueue(50, stage)
            await api.untilReceived(5)
            await stage.untilIdle()
            isUp.withLock { $0 = true }
            try await stage.until("all are gone") {
                if stage.clock.nextDeadline != nil { stage.clock.advance(by: .seconds(4)) }
                return try await stage.memory.counts(of: nil).pending.isEmpty
            }
        }
    }

    /// A single failing lane does not open the breaker.
    @Test func aLaneThatFailsAloneHoldsNoOther() async throws {
        api.answers { entry, _ in entry.lane == "bad" ? .unavailable : .delivered }
        try await Stage(api, retry: OutboxRetry(base: .seconds(4), cap: .seconds(4))).run { stage in
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"))
            for number in 0..<12 {
                try await stage.outbox.enqueue(.sample("\(number)", lane: "good"))
                try await stage.untilGone("\(number)")
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(4))
            }
        }
    }

    @Test func lanesThatHangReleaseTheirPermits() async throws {
        let gate = Gate()
        api.answers { entry, _ in
            guard entry.lane.hasPrefix("hang") else { return .delivered }
            await gate.pass()
            return .delivered
        }
        try await Stage(api, width: 4).run { stage in
            try await stage.outbox.enqueue(
                (0..<60).map { .sample("h\($0)", lane: "hang \($0)") }
                    + (0..<200).map { .sample("\(100 + $0)", lane: "good \($0 % 40)") },
                changing: [])
            // The gate stays closed, so this ends only if hanging requests release their permits.
            await stage.until("the healthy lanes have delivered") {
                if stage.clock.nextDeadline != nil { stage.clock.advance(by: .milliseconds(500)) }
                return api.received.count { $0.lane.hasPrefix("good") } == 200
            }
            gate.open()
            try await stage.until("all are gone") { try await stage.memory.counts(of: nil).pending.isEmpty }
        }
    }

    @Test func retryPolicyDependsOnDestinationAndEntry() async throws {
        let mail = RecordingDestination("mail", kinds: ["note"])
        for destination in [api, mail] { destination.answers { _, _ in .unavailable } }
        let stage = Stage(
            api, mail,
            policy: { name in
                guard name == "mail" else { return DeliveryPolicy() }
                return DeliveryPolicy(retry: OutboxRetry(attempts: 1)) {
                    $0.lane == "patient" ? OutboxRetry(attempts: 2, base: .seconds(1), cap: .seconds(1)) : nil
                }
            })
        try await stage.run { stage in
            try await stage.outbox.enqueue(
                .sample("a", to: "api", "mail"), .sample("b", lane: "patient", to: "mail"))
            #expect(try await stage.untilDead("a", at: "mail")?.code == .exhausted)
            try await stage.untilFailed("a", attempts: 1)
            try await stage.untilFailed("b", attempts: 1, at: "mail")
            await stage.untilIdle()
            stage.clock.advance(by: .seconds(1))
            #expect(try await stage.untilDead("b", at: "mail")?.code == .exhausted)
        }
    }

    @Test func aDestinationLearnsTheNumberOfTheAttempt() async throws {
        let counting = CountingDestination()
        try await Stage(counting, retry: OutboxRetry(base: .seconds(1), cap: .seconds(1))).run { stage in
            try await stage.outbox.enqueue(.sample("a", to: "counting"))
            for attempt in 1...2 {
                try await stage.untilFailed("a", attempts: attempt, at: "counting")
                await stage.untilIdle()
                stage.clock.advance(by: .seconds(1))
            }
            try await stage.untilGone("a")
        }
        #expect(counting.attempts.withLock { $0 } == [1, 2, 3])
    }
}

private final class CountingDestination: Destination {
    let name = "counting"
    let kinds: Set<String> = ["note"]
    let attempts = Mutex<[Int]>([])

    func deliver(_ entry: OutboxEntry) async -> Delivery { await deliver(entry, attempt: 0) }

    func deliver(_ entry: OutboxEntry, attempt: Int) async -> Delivery {
        attempts.withLock { $0.append(attempt) }
        return attempt < 3 ? .unavailable : .delivered
    }
}
