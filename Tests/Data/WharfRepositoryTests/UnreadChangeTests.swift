import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository

/// Changes of rows that came with a list: each model is read before its change is sent.
struct UnreadChangeTests {
    typealias Note = WriteLaws.Note
    typealias Way = EditingStage.Way

    private let stage = EditingStage([Note(id: 1, title: "one", text: "first")])
    private var service: ScriptedOrigin<Note> { stage.service }

    /// The service, with failing reads of single models.
    private func source(failing failure: ReadFailure) throws -> RemoteSource<Note> {
        let write = try #require(service.source.write)
        return RemoteSource<Note>(get: { _, _ in Snapshot(kept: nil, error: failure) }, list: service.source.list)
            .writing(write)
    }

    /// Reads are answered by a mirror that does not have another client's change yet.
    @Test(arguments: [true, false])
    func changeIsComparedWithThePrimaryNotTheMirror(isEdit: Bool) async throws {
        let base = Note(id: 1, title: "one", text: "first")
        let mirror = ScriptedOrigin<Note>([base], clock: stage.outbox.clock.wall)
        let write = try #require(service.source.write)
        let primary = RemoteSource<Note>(
            get: { _, _ in Snapshot(kept: nil, error: OutboxStage.unreachable) }, list: service.source.list
        ).writing(write)
        let app = stage.app(
            .direct, source: .first(of: [("primary", primary), ("mirror", mirror.source.withoutTags)]))
        #expect(await app.notes.snapshot(id: 1).value == base)
        let theirs = Note(id: 1, title: "theirs", text: "first")
        service.put(theirs)
        await #expect(throws: WriteFailure.self) {
            if isEdit { try await app.notes.edit(1) { $0.title = "mine" } } else { try await app.notes.delete(id: 1) }
        }
        #expect(service.models == [theirs] && service.writes == 0)
        await app.end()
    }

    // MARK: Deletions

    @Test(arguments: Way.allCases)
    func unchangedRowIsDeleted(way: Way) async throws {
        let app = stage.app(way)
        _ = try await app.notes.list()
        #expect(await (try await app.notes.delete(id: 1)).delivery() == .delivered(nil))
        #expect(service.models.isEmpty)
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func deletionOfForeignChangedModelIsAConflict(way: Way) async throws {
        let app = stage.app(way)
        _ = try await app.notes.list()
        let theirs = Note(id: 1, title: "one", text: "theirs")
        service.put(theirs)
        guard case .conflict(let found) = await (try await app.notes.delete(id: 1)).delivery() else {
            Issue.record("expected a conflict")
            return
        }
        #expect(found.value == theirs && service.models == [theirs] && service.writes == 0)
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func deletionOfDeletedModelIsDelivered(way: Way) async throws {
        let app = stage.app(way)
        _ = try await app.notes.list()
        service.remove(1)
        #expect(await (try await app.notes.delete(id: 1)).delivery() == .delivered(nil))
        await app.end()
    }

    /// The service reads no single models, and may answer such a read with 404.
    @Test(arguments: Way.allCases)
    func aDeletionReachesAServiceThatReadsNoSingleModels(way: Way) async throws {
        let app = stage.app(way, source: try source(failing: .answer(404)))
        _ = try await app.notes.list()
        #expect(await (try await app.notes.delete(id: 1)).delivery() == .delivered(nil))
        #expect(service.models.isEmpty)
        await app.end()
    }

    // MARK: Reads that fail

    @Test(arguments: Way.allCases, [ReadFailure(.unsupported, message: "scripted"), .answer(405)])
    func aServiceThatReadsNoSingleModelsIsSentTheEdit(way: Way, failure: ReadFailure) async throws {
        let app = stage.app(way, source: try source(failing: failure))
        _ = try await app.notes.list()
        let edited = Note(id: 1, title: "mine", text: "first")
        #expect(await (try await app.notes.edit(1) { $0.title = "mine" }).delivery() == .delivered(edited))
        await app.end()
    }

    /// The current version at the service is unknown, so it can't be compared with the form's base.
    @Test(arguments: Way.allCases)
    func editOfOldFormIsAConflictIfModelIsUnreadable(way: Way) async throws {
        let app = stage.app(way, source: try source(failing: ReadFailure(.unsupported, message: "scripted")))
        _ = try await app.notes.list()
        let old = Note(id: 1, title: "old", text: "first")
        let receipt = try await app.notes.edit(Note(id: 1, title: "mine", text: "first"), basedOn: old)
        guard case .conflict = await receipt.delivery() else {
            Issue.record("expected a conflict")
            return
        }
        #expect(service.writes == 0)
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func aReadThatIsForbiddenRejectsTheEdit(way: Way) async throws {
        let app = stage.app(way, source: try source(failing: .answer(403)))
        _ = try await app.notes.list()
        guard case .rejected(let failure) = await (try await app.notes.edit(1) { $0.title = "mine" }).delivery() else {
            Issue.record("expected that it is rejected")
            return
        }
        #expect(failure.message.contains("was not sent") && service.writes == 0)
        await app.end()
    }

    // MARK: Retries

    /// A service that remembers keys refuses another body under the same key.
    @Test func anEditThatIsMergedBeforeARetryHasAnotherKey() async throws {
        let app = stage.app(.outbox)
        _ = try await app.notes.list()
        service.failWrites(OutboxStage.unreachable)
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        await waitUntil { stage.outbox.keys.withLock { $0.count } == 1 }
        service.put(Note(id: 1, title: "one", text: "theirs"))
        service.failWrites(nil)
        let outcome = await stage.outbox.whileTimePasses { await receipt.delivery() }
        #expect(outcome == .delivered(Note(id: 1, title: "mine", text: "theirs")))
        #expect(stage.outbox.keys.withLock { Set($0).count } == 2)
        await app.end()
    }
}
