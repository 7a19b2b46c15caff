import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository

/// Edits at a service without entity tags, each checked by a read after it was sent.
struct CheckedEditTests {
    typealias Note = WriteLaws.Note

    private static let kind = OutboxStage.notes.checkingEdits()
    private let stage = EditingStage([Note(id: 1, title: "one", text: "first")])

    /// The service, with another client that writes directly after each edit.
    private func source(after edit: @escaping @Sendable (ScriptedOrigin<Note>) -> Void) -> RemoteSource<Note> {
        let untagged = stage.service.source.withoutTags
        guard let write = untagged.write else { return untagged }
        return untagged.writing { [service = stage.service] change, key in
            let answer = await write(change, key)
            edit(service)
            return answer
        }
    }

    private func outcome(
        _ way: EditingStage.Way, _ source: RemoteSource<Note>
    ) async throws -> (WriteOutcome<Note>, shown: Note?) {
        let app = stage.app(way, source: source, kind: Self.kind)
        _ = try await app.notes.get(id: 1)
        let outcome = try await app.notes.edit(1) { $0.title = "mine" }.delivery()
        let shown = await app.notes.snapshot(id: 1, policy: .cacheOnly).value
        await app.end()
        return (outcome, shown)
    }

    @Test(arguments: EditingStage.Way.allCases)
    func checkedEditIsDeliveredIfServiceHasIt(_ way: EditingStage.Way) async throws {
        let (outcome, shown) = try await outcome(way, source { _ in })
        #expect(outcome == .delivered(Note(id: 1, title: "mine", text: "first")))
        #expect(shown == Note(id: 1, title: "mine", text: "first"))
    }

    @Test(arguments: EditingStage.Way.allCases)
    func checkedEditKeepsOtherClientsMember(_ way: EditingStage.Way) async throws {
        let both = Note(id: 1, title: "mine", text: "theirs")
        let (outcome, shown) = try await outcome(way, source { $0.put(both) })
        #expect(outcome == .delivered(both))
        #expect(shown == both)
    }

    @Test(arguments: EditingStage.Way.allCases)
    func anEditThatWasOverwrittenIsAConflict(_ way: EditingStage.Way) async throws {
        let theirs = Note(id: 1, title: "theirs", text: "first")
        let (outcome, shown) = try await outcome(way, source { $0.put(theirs) })
        guard case .conflict(let found) = outcome else {
            Issue.record("expected a conflict, found \(outcome)")
            return
        }
        #expect(found.value == theirs)
        #expect(shown == theirs)
    }

    @Test(arguments: EditingStage.Way.allCases)
    func checkedEditOfDeletedModelIsAConflict(_ way: EditingStage.Way) async throws {
        let (outcome, shown) = try await outcome(way, source { $0.remove(1) })
        guard case .conflict(let found) = outcome else {
            Issue.record("expected a conflict, found \(outcome)")
            return
        }
        #expect(found.value == nil && shown == nil)
    }

    @Test(arguments: EditingStage.Way.allCases)
    func anEditThatCanNotBeCheckedIsDelivered(_ way: EditingStage.Way) async throws {
        let isEdited = Flag()
        let untagged = source { _ in isEdited.set() }
        let unreadable = RemoteSource<Note>(
            get: { id, mode in
                if isEdited.isSet { return Snapshot(kept: nil, error: OutboxStage.unreachable) }
                return await untagged.get(id, mode)
            }
        ).writing(try #require(untagged.write))
        let (outcome, _) = try await outcome(way, unreadable)
        #expect(outcome == .delivered(Note(id: 1, title: "mine", text: "first")))
    }

    @Test func resolvingConflictWithMineSendsTheEditAgain() async throws {
        let isFirst = Flag()
        let overwritten = source { service in
            if !isFirst.isSet { service.put(Note(id: 1, title: "theirs", text: "first")) }
            isFirst.set()
        }
        let app = stage.app(.outbox, source: overwritten, kind: Self.kind)
        _ = try await app.notes.get(id: 1)
        _ = try await app.notes.edit(1) { $0.title = "mine" }.delivery()
        try await stage.outbox.settled()
        let conflict = try #require(try await app.notes.conflicts().first)
        #expect(conflict.theirs?.title == "theirs")
        try await app.notes.resolve(conflict, with: .mine)
        try await stage.outbox.settled()
        #expect(stage.service.models == [Note(id: 1, title: "mine", text: "first")])
        await app.end()
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }
}
