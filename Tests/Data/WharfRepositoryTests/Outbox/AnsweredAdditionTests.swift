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

/// Additions of a process that was killed after the service's answer and before the settlement.
final class AnsweredAdditionTests: Sendable {
    typealias Note = WriteLaws.Note

    /// The journal of a process that is killed before it can settle an entry.
    private final class UnsettlingStore: ForwardingWriteStore {
        let base: MemoryWriteStore
        private let refused = Mutex(0)

        init(_ base: MemoryWriteStore) { self.base = base }

        var refusals: Int { refused.withLock { $0 } }

        func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
            if !commit.settled.isEmpty {
                refused.withLock { $0 += 1 }
                // The system releases the leases of a killed process.
                var released = Commit()
                released.released = commit.settled.map(\.lease)
                _ = try await base.commit(released)
                throw StoreError(.unavailable, message: "scripted: killed")
            }
            return try await base.commit(commit)
        }
    }

    private let stage = OutboxStage([])
    private let added = Note(id: -1, title: "new")
    private let additions = Mutex((count: 0, answer: Snapshot<Note>?.none))

    /// A service that assigns the id 42 and answers a repeated addition like the first one.
    private func source() throws -> RemoteSource<Note> {
        let write = try #require(stage.service.source.write)
        return stage.service.source.writing { [self] change, key in
            guard case .add(let note) = change else { return await write(change, key) }
            let first = additions.withLock { additions in
                additions.count += 1
                return additions.answer
            }
            if let first { return first }
            let answer = await write(.add(Note(id: 42, title: note.title, text: note.text)), key)
            additions.withLock { $0.answer = answer }
            return answer
        }
    }

    /// Runs the first process until the service has answered and the journal fails to settle.
    ///
    /// - Parameter body: runs before the process ends.
    private func die(_ body: (OutboxStage.Process) async throws -> Void = { _ in }) async throws {
        let store = UnsettlingStore(stage.store)
        let app = stage.begin(try source(), in: store, kind: OutboxStage.identified)
        let receipt = try await app.notes.add(added, .optimistic)
        #expect(await receipt.delivery() == .delivered(Note(id: 42, title: "new")))
        await waitUntil { store.refusals > 0 }
        try await body(app)
        await app.end()
    }

    private var waiting: Int {
        get async throws { try await stage.store.counts(of: nil).pending.values.reduce(0, +) }
    }

    @Test func anAnsweredAdditionIsNotSentAgain() async throws {
        try await die()
        #expect(try await waiting == 1)
        let next = stage.begin(try source(), kind: OutboxStage.identified)
        try await stage.settled()
        #expect(additions.withLock { $0.count } == 1)
        #expect(stage.service.models == [Note(id: 42, title: "new")])
        let rows = try await stage.store.rows(RowQuery(), of: nil, kind: "note/answered")
        #expect(rows.isEmpty, "the mark went with the settlement")
        await next.end()
    }

    @Test func nextProcessShowsAnsweredAdditionUnderServiceID() async throws {
        try await die()
        let next = stage.begin(try source(), kind: OutboxStage.identified, isDelivering: false)
        #expect(try await next.notes.pending().isEmpty)
        #expect(await next.notes.snapshot(id: -1, policy: .cacheOnly).value == Note(id: 42, title: "new"))
        #expect(await next.notes.snapshot(id: 42, policy: .cacheOnly).value == Note(id: 42, title: "new"))
        await next.end()
    }

    @Test func editsByTemporaryAndServiceIDAreCombined() async throws {
        try await die { app in
            _ = try await app.notes.edit(42) { $0.title = "newer" }
        }
        let next = stage.begin(try source(), kind: OutboxStage.identified, isDelivering: false)
        _ = try await next.notes.edit(-1) { $0.text = "more" }
        let whole = Note(id: 42, title: "newer", text: "more")
        #expect(await next.notes.snapshot(id: 42, policy: .cacheOnly).value == whole)
        next.outbox.register(try #require(next.notes.destination))
        try await stage.settled()
        #expect(stage.service.models == [whole])
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 1).isEmpty)
        await next.end()
    }

    /// The addition is still pending in the other process.
    @Test func otherProcessFindsStoredAnswerWhenItEdits() async throws {
        let other = stage.begin(try source(), kind: OutboxStage.identified, isDelivering: false)
        try await die { app in
            _ = try await app.notes.edit(42) { $0.title = "newer" }
        }
        _ = try await other.notes.edit(-1) { $0.text = "more" }
        #expect(await other.notes.snapshot(id: 42, policy: .cacheOnly).value?.text == "more")
        other.outbox.register(try #require(other.notes.destination))
        try await stage.settled()
        #expect(stage.service.models == [Note(id: 42, title: "newer", text: "more")])
        #expect(additions.withLock { $0.count } == 1)
        await other.end()
    }

    /// Another device has changed the note, and the next process has read the change.
    @Test func theStoredAnswerDoesNotReplaceALaterRow() async throws {
        try await die()
        let later = Note(id: 42, title: "theirs")
        stage.service.put(later)
        let next = stage.begin(try source(), kind: OutboxStage.identified, isDelivering: false)
        #expect(await next.notes.snapshot(id: 42, policy: .networkOnly).value == later)
        next.outbox.register(try #require(next.notes.destination))
        try await stage.settled()
        #expect(await next.notes.snapshot(id: 42, policy: .cacheOnly).value == later)
        await next.end()
    }
}
