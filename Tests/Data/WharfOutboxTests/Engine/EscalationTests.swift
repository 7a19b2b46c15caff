import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

/// Entries that are sent to a second destination if they were not delivered in time, while the wall
/// clock is changed.
struct EscalationTests {
    let api = RecordingDestination("api", kinds: ["note"])
    let sms = RecordingDestination("sms", kinds: ["note"])

    /// Runs an engine whose entry goes to `sms` an hour after it was enqueued.
    private func run(_ body: (Stage) async throws -> Void) async throws {
        api.answers { _, _ in .unavailable }
        try await Stage(api, sms, retry: OutboxRetry(base: .seconds(600), cap: .seconds(600))).run { stage in
            let later = OutboxEntry.Target("sms", .unlessDelivered(by: "api", within: .seconds(3_600)))
            try await stage.outbox.enqueue(.sample("a", targets: [.init("api"), later]))
            try await stage.untilFailed("a", attempts: 1)
            await stage.untilIdle()
            try await body(stage)
        }
    }

    private func pass(_ seconds: Int, _ stage: Stage) async {
        for _ in 0..<seconds / 100 {
            stage.clock.advance(by: .seconds(100))
            await stage.untilQuiet()
            await stage.untilIdle()
        }
    }

    @Test func escalationIsSentAtItsTime() async throws {
        try await run { stage in
            await pass(3_500, stage)
            #expect(sms.received.isEmpty)
            await pass(100, stage)
            #expect(sms.received.count == 1)
        }
    }

    @Test func clockSetForwardSendsTheEscalationEarlyAndOnce() async throws {
        let api = api
        try await run { stage in
            stage.wall.set(by: .seconds(7_200))
            await pass(300, stage)
            #expect(sms.received.count == 1)
            stage.wall.set(by: .seconds(-7_200))
            await pass(7_200, stage)
            api.answers { _, _ in .delivered }
            await pass(600, stage)
            let left = try await stage.state(of: "a")
            #expect(left == nil)
            #expect(sms.received.count == 1)
        }
    }

    @Test func clockSetBackALittleSendsTheEscalationLate() async throws {
        try await run { stage in
            await pass(1_000, stage)
            stage.wall.set(by: .seconds(-500))
            await pass(3_000, stage)
            #expect(sms.received.isEmpty)
            await pass(100, stage)
            #expect(sms.received.count == 1)
        }
    }

    @Test func clockSetBackBeforeEnqueueSendsTheEscalationAtOnce() async throws {
        try await run { stage in
            stage.wall.set(by: .seconds(-31_536_000))
            await pass(300, stage)
            #expect(sms.received.count == 1)
        }
    }
}
