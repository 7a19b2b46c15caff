import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

@testable import WharfOutbox

struct OutcomeTests {
    let api = RecordingDestination("api", kinds: ["note"])
    let mail = RecordingDestination("mail", kinds: ["note"])
    private let gate = Gate()

    private func outcome(_ id: String, _ stage: Stage) -> Task<[String: OutboxRecord.State]?, any Error> {
        Task { try await stage.outbox.outcome(of: .init(id)) }
    }

    private func code(_ outcome: Task<[String: OutboxRecord.State]?, any Error>) async -> StoreError.Code? {
        guard case .failure(let error as StoreError) = await outcome.result else { return nil }
        return error.code
    }

    @Test func outcomeHasTheStateAtEachDestination() async throws {
        let gate = gate
        api.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        mail.answers { _, _ in .delivered }
        let stage = Stage(api, mail)
        try await stage.outbox.enqueue(.sample("a", to: "api", "mail"))
        try await stage.run { stage in
            let outcome = outcome("a", stage)
            await gate.arrivals()
            await stage.until("somebody waits") { stage.store.calls("record") > 0 }
            gate.open()
            let states = try await outcome.value
            #expect(states == ["api": .delivered, "mail": .delivered])
            let later = try await stage.outbox.outcome(of: .init("a"))
            #expect(later == nil)
        }
    }

    @Test func outcomeWaitsForNamedDestinationsOnly() async throws {
        let gate = gate
        mail.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        try await Stage(api, mail).run { stage in
            try await stage.outbox.enqueue(.sample("a", to: "api", "mail"))
            // The gate is closed: an outcome that waited for mail would never come.
            let states = try await stage.outbox.outcome(of: .init("a"), settling: ["api", "other"])
            #expect(states?["api"] == .delivered)
            guard case .pending = states?["mail"] else {
                Issue.record("\(String(describing: states))")
                return
            }
            let all = Task { try await stage.outbox.outcome(of: .init("a"), settling: ["mail"]) }
            await gate.arrivals()
            gate.open()
            #expect(try await all.value?["mail"] ?? .delivered == .delivered)
        }
    }

    /// An app extension, for example, does not deliver.
    @Test func unstartedEngineNoticesCommitsOfOthers() async throws {
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"), .sample("b", lane: "other"))
        let outcomes = ["a", "b"].map { outcome($0, stage) }
        await stage.until("both wait") { stage.store.calls("record") > 1 }
        var commit = Commit()
        commit.discarded = [DeliveryID(.init("a"), to: "api"), DeliveryID(.init("b"), to: "api")]
        _ = try await stage.store.commit(commit)
        for outcome in outcomes { #expect(try await outcome.value == nil) }
    }

    @Test func aDeadLetterIsAnOutcome() async throws {
        api.answers { _, _ in .rejected }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            let states = try await stage.outbox.outcome(of: .init("a"))
            guard case .dead(1, let failure) = states?["api"] else {
                Issue.record("\(String(describing: states))")
                return
            }
            #expect(failure.code == .rejected)
        }
    }

    @Test func unneededFallbackIsReportedInTheOutcome() async throws {
        let gate = gate
        api.answers { _, _ in
            await gate.pass()
            return .delivered
        }
        let stage = Stage(api, mail)
        try await stage.outbox.enqueue(.sample("a", targets: .first(of: "api", "mail")))
        try await stage.run { stage in
            let outcome = outcome("a", stage)
            await gate.arrivals()
            await stage.until("somebody waits") { stage.store.calls("record") > 0 }
            gate.open()
            let states = try await outcome.value
            #expect(states == ["api": .delivered, "mail": .unneeded])
        }
    }

    @Test func discardDuringTheWaitIsAnOutcome() async throws {
        let stage = Stage()
        try await stage.outbox.enqueue(.sample("a"))
        let outcome = outcome("a", stage)
        await stage.until("somebody waits") { stage.store.calls("record") > 0 }
        try await stage.outbox.discard([DeliveryID(.init("a"), to: "api")])
        #expect(try await outcome.value == ["api": .discarded])
    }

    /// Another engine settles the entry after this engine's commit has failed.
    @Test(arguments: [true, false])
    func failedDiscardLeavesTheOutcomeUnknown(isEdit: Bool) async throws {
        let stage = Stage()
        try await stage.outbox.enqueue(.sample("a"))
        let outcome = outcome("a", stage)
        await stage.until("somebody waits") { stage.store.calls("record") > 0 }
        stage.store.fails { call, _ in call == "commit" ? StoreError(.full, message: "the disk is full") : nil }
        await #expect(throws: StoreError.self) {
            if isEdit {
                let letter = DeadLetter(
                    entry: .sample("a"), destination: "api", attempts: 1, failure: .down, diedAt: .start)
                try await stage.outbox.edit(letter, payload: [1])
            } else {
                try await stage.outbox.discard([DeliveryID(.init("a"), to: "api")])
            }
        }
        try await remove("a", stage)
        #expect(try await outcome.value == nil)
    }

    @Test func failedSettlementLeavesTheOutcomeUnknown() async throws {
        api.answers { _, _ in .rejected }
        let stage = Stage(api)
        try await stage.outbox.enqueue(.sample("a"))
        let outcome = outcome("a", stage)
        await stage.until("somebody waits") { stage.store.calls("record") > 0 }
        stage.store.fails { _, commit in
            commit?.settled.isEmpty == false ? StoreError(.full, message: "the disk is full") : nil
        }
        try await stage.run { stage in
            // The engine pauses before it commits the settlement again.
            await stage.until("it has failed") { stage.incidents.codes == [.journalFailed] }
            try await remove("a", stage)
            stage.outbox.outcomeObservers.lookAgain()
            #expect(try await outcome.value == nil)
        }
    }

    /// Settles an entry as another engine does.
    private func remove(_ id: String, _ stage: Stage) async throws {
        var commit = Commit()
        commit.discarded = [DeliveryID(.init(id), to: "api")]
        try await stage.memory.commit(commit)
    }

    @Test func commitOfAnotherEngineEndsTheOutcomeWait() async throws {
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a", to: "elsewhere"))
            let outcome = outcome("a", stage)
            await stage.until("somebody waits") { stage.store.calls("record") > 0 }
            var commit = Commit()
            commit.discarded = [DeliveryID(.init("a"), to: "elsewhere")]
            try await stage.memory.commit(commit)
            // This engine can't know the outcome.
            #expect(try await outcome.value == nil)
        }
    }

    @Test func cancellationOrCloseEndsTheOutcomeWait() async throws {
        let stage = Stage()
        try await stage.outbox.enqueue(.sample("a"))
        let (one, other) = (outcome("a", stage), outcome("a", stage))
        await stage.until("both wait") { stage.store.calls("record") > 1 }
        one.cancel()
        #expect(await code(one) == .cancelled)
        await stage.outbox.close()
        #expect(await code(other) == .closed)
    }
}
