import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

/// A destination that answers 401.
struct CredentialTests {
    private let api = RecordingDestination("api", kinds: ["note"])
    private let retry = OutboxRetry(attempts: 2, base: .seconds(4), cap: .seconds(60))

    @Test func unauthorizedAnswerHoldsItsDestinationOnly() async throws {
        let mail = RecordingDestination("mail", kinds: ["note"])
        api.answers { _, _ in .needsAuthentication }
        try await Stage(api, mail).run { stage in
            let entries = (0..<20).map { OutboxEntry.sample("\(10 + $0)", lane: "\($0)", to: "api", "mail") }
            try await stage.outbox.enqueue(entries, changing: [])
            await mail.untilReceived(20)
            await stage.untilIdle()
            // At most the requests in flight at the first 401.
            #expect(api.received.count <= 4)
        }
    }

    @Test func probesContinueUntilTheCredentialIsAccepted() async throws {
        let gate = Gate()
        api.answers { _, _ in
            await gate.pass()
            return .needsAuthentication
        }
        try await Stage(api, retry: retry).run { stage in
            // In one commit, and in flight together. A lane that comes after the first refusal is
            // tried on its own, and its refusal moves the next probe.
            try await stage.outbox.enqueue((0..<3).map { .sample("\($0)", lane: "\($0)") }, changing: [])
            await gate.arrivals(3)
            gate.open()
            try await stage.untilFailed("0", attempts: 0)
            await stage.untilIdle()
            for pause in [4, 8, 16] as [Int64] {
                let tries = api.received.count
                await stage.wake(after: .seconds(pause))
                await stage.until("it was probed") { api.received.count > tries }
                await stage.untilIdle()
                // A single lane probes for all.
                #expect(api.received.count == tries + 1)
            }
            api.answers { _, _ in .delivered }
            await stage.wake(after: .seconds(32))
            for number in 0..<3 { try await stage.untilGone("\(number)") }
        }
    }

    @Test func anotherCredentialIsTriedAtOnce() async throws {
        let stage = Stage(api, retry: retry)
        let events = stage.outbox.events
        api.answers { _, _ in .needsAuthentication }
        try await stage.run { stage in
            for number in 0..<6 { try await stage.outbox.enqueue(.sample("\(number)", lane: "\(number)")) }
            try await stage.untilFailed("0", attempts: 0)
            await stage.untilIdle()
            api.answers { _, _ in .delivered }
            stage.outbox.credentialChanged()
            for number in 0..<6 { try await stage.untilGone("\(number)") }
            #expect(stage.clock.now == TestClock.Instant(offset: .zero))
        }
        var seen: [OutboxEvent] = []
        for await event in events { seen.append(event) }
        #expect(seen.contains(.credentialChanged))
        let holds = seen.filter { if case .held("api", _) = $0 { true } else { false } }
        #expect(holds.count == 1)
        #expect(stage.incidents.all.map(\.code) == [.credentialRefused])
    }

    @Test func unauthorizedAnswerFromBeforeSignInHoldsNothing() async throws {
        let gate = Gate()
        api.answers { _, attempt in
            guard attempt == 1 else { return .delivered }
            await gate.pass()
            return .needsAuthentication
        }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            await gate.arrivals()
            stage.outbox.credentialChanged()
            gate.open()
            try await stage.untilGone("a")
            #expect(stage.clock.now == TestClock.Instant(offset: .zero))
        }
    }

    /// An example is a path without permission for the account, at a service that answers 401 in
    /// place of 403.
    @Test func unauthorizedLaneAloneHoldsNoOtherAndIsExhausted() async throws {
        api.answers { entry, _ in entry.lane == "bad" ? .needsAuthentication : .delivered }
        try await Stage(api, retry: OutboxRetry(attempts: 3, base: .seconds(4))).run { stage in
            try await stage.outbox.enqueue(.sample("bad", lane: "bad"), .sample("next", lane: "bad"))
            // Only an attempt during which the other lane was served counts. How many rounds that
            // takes depends on the order of the tasks.
            let passing = Task { [clock = stage.clock] in
                while !Task.isCancelled {
                    if let next = clock.nextDeadline { clock.advance(to: next) }
                    await Task.yield()
                }
            }
            defer { passing.cancel() }
            for number in 0... {
                if case .dead? = try await stage.state(of: "bad") { break }
                try await stage.outbox.enqueue(.sample("a\(number)", lane: "a"))
                try await stage.untilGone("a\(number)")
            }
            #expect(try await stage.untilDead("bad")?.code == .exhausted)
        }
    }

    @Test func unauthorizedAnswerStopsOtherLanes() async throws {
        let gate = Gate()
        api.answers { entry, _ in
            guard entry.lane == "slow" else { return .needsAuthentication }
            await gate.pass()
            return .needsAuthentication
        }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("s", lane: "slow"), .sample("t", lane: "slow"))
            await gate.arrivals()
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilFailed("a", attempts: 0)
            gate.open()
            try await stage.untilFailed("s", attempts: 0)
            await stage.untilQuiet()
            #expect(!api.received.contains { $0.id.text == "t" })
        }
    }

    /// The journal once stored the pause, so that one 401 stopped the account's later entries in
    /// every process.
    @Test func nextEngineRetriesAfterAnUnauthorizedAnswer() async throws {
        api.answers { _, _ in .needsAuthentication }
        let stage = Stage(api)
        try await stage.run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            try await stage.untilFailed("a", attempts: 0)
        }
        let next = RecordingDestination("api", kinds: ["note"])
        let outbox = OutboxEngine(store: stage.memory, destinations: [next], configuration: .init(clock: stage.wall))
        let report = try await outbox.drain()
        #expect(report.delivered == 1)
        await outbox.close()
    }
}
