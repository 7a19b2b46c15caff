import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// `edit(_:_:_:)`, which changes the model as it is at the time of the change.
struct EditByIDTests {
    typealias Note = WriteLaws.Note

    private let clock = TestClock()
    private let store = MemoryEntityStore()

    private func repository(_ service: ScriptedOrigin<Note>) -> Repository<Note> {
        Repository(
            EntityKind("note", codec: Note.codec), in: store, remote: service.source,
            configuration: .init(clock: clock.wall))
    }

    private func failure(_ edit: () async throws(WriteFailure) -> WriteReceipt<Note>) async -> WriteFailure.Code? {
        do throws(WriteFailure) {
            _ = try await edit()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func editIsMadeOnTheStoredModel() async throws {
        let service = ScriptedOrigin([Note(id: 1, title: "one", text: "first")], clock: clock.wall)
        let notes = repository(service)
        _ = await notes.snapshot(id: 1)
        let receipt = try await notes.edit(1) { $0.title = "mine" }
        #expect(await receipt.delivery() == .delivered(Note(id: 1, title: "mine", text: "first")))
        #expect(service.models == [Note(id: 1, title: "mine", text: "first")])
    }

    @Test func editOverwritesNoOtherWriter() async throws {
        let service = ScriptedOrigin([Note(id: 1, title: "one")], clock: clock.wall)
        let notes = repository(service)
        _ = await notes.snapshot(id: 1, policy: .networkOnly)
        _ = try await notes.edit(1) { $0.text = "first" }
        service.put(Note(id: 1, title: "theirs", text: "theirs"))
        let receipt = try await notes.edit(1) { $0.text = "mine" }
        guard case .conflict(let theirs) = await receipt.delivery() else {
            Issue.record("the edit was sent over another one")
            return
        }
        #expect(theirs.value == Note(id: 1, title: "theirs", text: "theirs"))
        #expect(service.models == [Note(id: 1, title: "theirs", text: "theirs")])
    }

    /// Confirmed edits are not shown before they are delivered.
    @Test(arguments: [WriteMode.confirmed, .optimistic])
    func concurrentEditsAreAllKept(mode: WriteMode) async throws {
        let service = ScriptedOrigin([Note(id: 1, title: "")], clock: clock.wall)
        let notes = repository(service)
        _ = await notes.snapshot(id: 1)
        let gate = Gate()
        service.holdWrites(at: gate)
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    #expect(
                        await failure { () async throws(WriteFailure) in
                            try await notes.edit(1, mode) { $0.title += "x" }
                        } == nil)
                }
            }
            await gate.arrivals(1)
            gate.open()
        }
        #expect(service.models == [Note(id: 1, title: "xxx")])
    }

    @Test func unknownModelCanNotBeEdited() async {
        let service = ScriptedOrigin([Note(id: 1, title: "one")], clock: clock.wall)
        let notes = repository(service)
        #expect(
            await failure { () async throws(WriteFailure) in try await notes.edit(1) { $0.title = "x" } } == .notFound)
        #expect(service.writes == 0)
    }

    @Test func editCanNotChangeTheID() async {
        let service = ScriptedOrigin([Note(id: 1, title: "one")], clock: clock.wall)
        let notes = repository(service)
        _ = await notes.snapshot(id: 1)
        let code = await failure { () async throws(WriteFailure) in
            try await notes.edit(1) { $0 = Note(id: 2, title: "other") }
        }
        #expect(code == .invalid && service.writes == 0)
        let shown = await notes.snapshot(id: 1, policy: .cacheOnly)
        #expect(shown.value == Note(id: 1, title: "one") && shown.kept?.isPending == false)
    }

    @Test func editByATemporaryIDGoesToTheModelOfTheService() async throws {
        let stage = OutboxStage([])
        let write = try #require(stage.service.source.write)
        let source = stage.service.source.writing { change, key in
            guard case .add(let note) = change else { return await write(change, key) }
            return await write(.add(Note(id: 42, title: note.title)), key)
        }
        let app = stage.begin(source, kind: OutboxStage.identified)
        let addition = try await app.notes.add(Note(id: -1, title: "new"), .optimistic)
        _ = await addition.delivery()
        let edit = try await app.notes.edit(-1) { $0.text = "edited" }
        #expect(await edit.delivery() == .delivered(Note(id: 42, title: "new", text: "edited")))
        await app.end()
    }
}
