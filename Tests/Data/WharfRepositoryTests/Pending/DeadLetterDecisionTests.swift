import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfRepository
import WharfStorage
import WharfStores

/// A person's decisions about dead letters of a model.
struct DeadLetterDecisionTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage([Note(id: 1, title: "one"), Note(id: 2, title: "two")])

    /// An app whose edits of both notes are dead letters, and a switch that makes the service
    /// accept.
    private func app() async throws -> (app: OutboxStage.Process, refuses: @Sendable (Bool) -> Void) {
        let (write, refuses) = (try #require(stage.service.source.write), AtomicFlag(true))
        let source = stage.service.source.writing { change, key in
            guard !refuses.value else {
                return Snapshot(
                    kept: nil,
                    error: ReadFailure(
                        .status, message: "PATCH /notes failed with status 422", response: .init(status: 422),
                        excerpt: Array("a title is too short".utf8)))
            }
            return await write(change, key)
        }
        let app = stage.begin(source)
        for id in [1, 2] {
            _ = await app.notes.snapshot(id: id)
            let receipt = try await app.notes.edit(id) { $0.title = "edited" }
            guard case .rejected = await receipt.delivery() else {
                Issue.record("expected that it is rejected")
                break
            }
        }
        // The receipt reports a refusal before the journal has it.
        try await waitUntil { try await app.outbox.deadLetters().count == 2 }
        return (app, { refuses.value = $0 })
    }

    private final class AtomicFlag: Sendable {
        private let state: Mutex<Bool>
        init(_ value: Bool) { state = Mutex(value) }
        var value: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test func aRetrySendsTheChangesOfItsModelAgain() async throws {
        let (app, refuses) = try await app()
        refuses(false)
        #expect(try await app.notes.retry(id: 1) == 1)
        try await waitUntil { try await app.notes.pending().keys.sorted() == [2] }
        #expect(stage.service.models.map(\.title) == ["edited", "two"])
        #expect(try await app.notes.retry(id: 1) == 0)
        await app.end()
    }

    @Test func refusedRetryIsADeadLetterAgain() async throws {
        let (app, _) = try await app()
        #expect(try await app.notes.retry(id: 1) == 1)
        try await waitUntil {
            guard case .failed? = try await app.notes.pending()[1] else { return false }
            return true
        }
        await app.end()
    }

    @Test func discardDropsDeadLettersOfItsModelOnly() async throws {
        let (app, refuses) = try await app()
        refuses(false)
        #expect(try await app.notes.discard(id: 1) == 1)
        #expect(try await app.notes.pending().keys.sorted() == [2])
        #expect(try await app.outbox.deadLetters().count == 1)
        #expect(stage.service.models.map(\.title) == ["one", "two"])
        #expect(try await app.notes.discard(id: 1) == 0)
        await app.end()
    }

    /// The receipt reports a refusal before the journal has it.
    @Test func discardRightAfterTheReceiptFindsTheDeadLetter() async throws {
        let refusing = stage.service.source.writing { _, _ in Snapshot(kept: nil, error: .answer(422)) }
        let app = stage.begin(refusing)
        _ = await app.notes.snapshot(id: 1)
        for _ in 0..<50 {
            let receipt = try await app.notes.edit(1) { $0.title += "!" }
            guard case .rejected = await receipt.delivery() else { return #expect(Bool(false), "expected a rejection") }
            #expect(try await app.notes.discard(id: 1) == 1)
        }
        #expect(try await app.outbox.deadLetters().isEmpty)
        await app.end()
    }

    /// The service has accepted a later edit since.
    @Test func aRetryBringsItsOwnMembersOnly() async throws {
        let (write, refuses) = (try #require(stage.service.source.write), AtomicFlag(true))
        let source = stage.service.source.withoutTags.writing { change, key in
            refuses.value ? Snapshot(kept: nil, error: .answer(422)) : await write(change, key).untagged
        }
        let app = stage.begin(source, kind: OutboxStage.notes.editingUnread())
        _ = await app.notes.snapshot(id: 1)
        guard case .rejected = await (try await app.notes.edit(1) { $0.title = "first" }).delivery() else {
            return #expect(Bool(false), "expected a rejection")
        }
        refuses.value = false
        _ = await (try await app.notes.edit(1) { $0.text = "second" }).delivery()
        #expect(try await app.notes.retry(id: 1) == 1)
        try await waitUntil { try await app.notes.pending().isEmpty }
        #expect(stage.service.models.first == Note(id: 1, title: "first", text: "second"))
        await app.end()
    }

    @Test func theReasonIsInTheStateAndInTheDeadLetter() async throws {
        let (app, _) = try await app()
        guard case .failed(let failure)? = try await app.notes.pending()[1] else {
            Issue.record("expected that it is set aside")
            return
        }
        #expect(failure.message.hasSuffix("failed with status 422: a title is too short"))
        #expect(try await app.outbox.deadLetters().first?.failure == failure)
        await app.end()
    }
}
