import Testing
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage
import WharfStores

struct DeadLetterTests {
    let api = RecordingDestination("api", kinds: ["note"])

    /// Runs an engine whose one entry is a dead letter.
    private func run(_ answer: Delivery, _ body: (Stage, DeadLetter) async throws -> Void) async throws {
        api.answers { _, attempt in attempt == 1 ? answer : .delivered }
        try await Stage(api).run { stage in
            try await stage.outbox.enqueue(.sample("a"))
            _ = try await stage.untilDead("a")
            let letter = try #require(try await stage.outbox.deadLetters().first)
            try await body(stage, letter)
        }
    }

    @Test func aRetryGoesWithTheSameBytesAndKey() async throws {
        try await run(.rejected) { stage, letter in
            try await stage.outbox.retry([letter.id])
            try await stage.untilGone("a")
            #expect(api.received == [letter.entry, letter.entry])
        }
    }

    @Test func editReplacesADeadLetterUnderANewKeyInOneCommit() async throws {
        try await run(.conflict(theirs: [7])) { stage, letter in
            #expect(letter.conflict == ConflictRecord(entry: letter.entry, theirs: [7]))
            api.answers { _, _ in .delivered }
            let new = try await stage.outbox.edit(letter, payload: [1, 2])
            #expect(
                new.key != letter.entry.key && new.id != letter.entry.id && new.payload == [1, 2] && new.base == [7])
            let commit = try #require(stage.store.commits.first { $0.enqueued == [new] })
            #expect(commit.discarded == [letter.id])
            try await stage.untilGone(new.id.text)
            #expect(try await stage.outbox.deadLetters().isEmpty)
            #expect(api.received.last == new)
        }
    }

    /// Runs an engine with one dead letter, whose dependency on the entry `gone` was discarded.
    private func run(
        dependingOn others: Set<OutboxEntry.ID>, _ body: (Stage, DeadLetter) async throws -> Void
    ) async throws {
        try await Stage(api).run { stage in
            let dependencies = others.union([.init("gone")])
            for id in dependencies { try await stage.outbox.enqueue(.sample(id.text, lane: id.text, kind: "later")) }
            try await stage.outbox.enqueue(.sample("a", dependencies: dependencies))
            try await stage.outbox.discard([DeliveryID(.init("gone"), to: "api")])
            #expect(try await stage.untilDead("a")?.code == .dependencyDiscarded)
            try await body(stage, try #require(try await stage.outbox.deadLetters().first))
        }
    }

    @Test func editKeepsPendingDependenciesAndDropsDiscardedOnes() async throws {
        try await run(dependingOn: [.init("open")]) { stage, letter in
            let new = try await stage.outbox.edit(letter, payload: [1])
            #expect(new.dependencies == [.init("open")])
            await stage.untilQuiet()
            #expect(api.received.isEmpty)
            stage.outbox.register(RecordingDestination("api", kinds: ["note", "later"]))
            try await stage.untilGone(new.id.text)
        }
    }

    @Test func editAfterAManualRetryHasNoDependencies() async throws {
        api.answers { _, attempt in attempt == 1 ? .rejected : .delivered }
        try await run(dependingOn: []) { stage, letter in
            try await stage.outbox.retry([letter.id])
            #expect(try await stage.untilDead("a")?.code == .rejected)
            api.answers { _, _ in .delivered }
            let refused = try #require(try await stage.outbox.deadLetters().first)
            let new = try await stage.outbox.edit(refused, payload: [1])
            #expect(new.dependencies.isEmpty)
            try await stage.untilGone(new.id.text)
        }
    }

    /// Otherwise the edited entry would become a dead letter for the same reason.
    @Test func editDropsForgottenDependencies() async throws {
        try await run(dependingOn: [.init("open")]) { stage, letter in
            var letter = letter
            letter.failure = .forgotten(.init("gone"))
            let new = try await stage.outbox.edit(letter, payload: [1])
            #expect(new.dependencies == [.init("open")])
        }
    }

    @Test func discardedDeadLetterIsRemoved() async throws {
        try await run(.rejected) { stage, letter in
            try await stage.outbox.discard([letter.id])
            #expect(try await stage.memory.record(of: letter.entry.id) == nil)
            await stage.untilQuiet()
            #expect(api.received.count == 1)
        }
    }

    @Test func deadLetterExplainsItsFailureAndRemedy() {
        func letter(_ code: DeliveryFailure.Code, _ message: String, status: Int? = nil, attempts: Int = 1) -> String {
            DeadLetter(
                entry: .sample("a"), destination: "api", attempts: attempts,
                failure: DeliveryFailure(code, message: message, status: status), diedAt: .start
            ).explanation
        }
        #expect(
            letter(.rejected, "the title is empty", status: 422)
                == "note to api was refused: status 422, the title is empty. The same bytes would fail again: edit or discard it."
        )
        #expect(
            letter(.exhausted, "given up", attempts: 9)
                == "note to api did not arrive in 9 attempts: given up. Retry it when the receiver works again, or discard it."
        )
        #expect(
            letter(.conflict, "412").hasPrefix("note to api conflicts with another client's change: 412. Compare both"))
        #expect(letter(.dependencyDiscarded, "gone").hasPrefix("note to api was never sent: gone. Discard it as well"))
        #expect(
            letter(.dependencyForgotten, "old").hasPrefix("note to api was never sent: old. Retry it if its dependency")
        )
        #expect(
            letter(.unreadable, "v9").hasPrefix("note to api could not be read by its destination: v9. The same"))
        #expect(letter(.init("odd"), "hm").hasPrefix("note to api failed after 1 attempt (odd): hm. Retry"))
    }
}
