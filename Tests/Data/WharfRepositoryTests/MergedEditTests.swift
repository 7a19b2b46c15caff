import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfRepository
import WharfStores

/// Edits refused by the service because another client has changed the model, with an outbox and
/// without.
struct MergedEditTests {
    typealias Note = WriteLaws.Note
    typealias Way = EditingStage.Way

    private let stage = EditingStage([Note(id: 1, title: "one", text: "first")])
    private var service: ScriptedOrigin<Note> { stage.service }

    @Test(arguments: Way.allCases)
    func foreignChangeToAnotherMemberIsMerged(way: Way) async throws {
        let app = stage.app(way)
        _ = await app.notes.snapshot(id: 1)
        service.put(Note(id: 1, title: "one", text: "theirs"))
        let both = Note(id: 1, title: "mine", text: "theirs")
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        #expect(await receipt.delivery() == .delivered(both))
        #expect(service.models == [both])
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == both)
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func foreignChangeToSameMemberIsAConflict(way: Way) async throws {
        let app = stage.app(way)
        _ = await app.notes.snapshot(id: 1)
        let theirs = Note(id: 1, title: "theirs", text: "theirs")
        service.put(theirs)
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        guard case .conflict(let found) = await receipt.delivery() else {
            Issue.record("expected a conflict")
            return
        }
        #expect(found.value == theirs)
        #expect(service.models == [theirs] && service.writes == 1)
        await app.end()
    }

    /// The second edit has the title of the first. Neither edit is based on the other client's
    /// text.
    @Test(arguments: Way.allCases)
    func editsBehindAMergedOneAreMergedToo(way: Way) async throws {
        let app = stage.app(way)
        _ = await app.notes.snapshot(id: 1)
        let gate = Gate()
        service.holdWrites(at: gate)
        service.put(Note(id: 1, title: "one", text: "theirs"))
        async let first = app.notes.edit(1) { $0.title = "mine" }.delivery()
        await gate.arrivals(1)
        async let second = app.notes.edit(1) { $0.title += " twice" }.delivery()
        _ = await comesTrue { await app.notes.snapshot(id: 1, policy: .cacheOnly).value?.title == "mine twice" }
        service.holdWrites(at: nil)
        gate.open()
        #expect(try await first == .delivered(Note(id: 1, title: "mine", text: "theirs")))
        #expect(try await second == .delivered(Note(id: 1, title: "mine twice", text: "theirs")))
        #expect(service.models == [Note(id: 1, title: "mine twice", text: "theirs")])
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func endlessForeignChangesEndInAConflict(way: Way) async throws {
        let app = stage.app(
            way,
            source: service.source.writing { [service] change, key in
                service.put(Note(id: 1, title: "one", text: "theirs \(service.writes)"))
                return await service.source.write?(change, key) ?? Snapshot(kept: nil)
            })
        _ = await app.notes.snapshot(id: 1)
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        guard case .conflict = await stage.outbox.whileTimePasses({ await receipt.delivery() }) else {
            Issue.record("expected a conflict")
            return
        }
        #expect(service.models.map(\.title) == ["one"])
        await app.end()
    }

    /// An example is a title that another model already has.
    @Test(arguments: Way.allCases)
    func editRefusedForAnotherReasonIsNotSentAgain(way: Way) async throws {
        let app = stage.app(way)
        _ = await app.notes.snapshot(id: 1)
        service.failWrites(.answer(409))
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        guard case .conflict = await receipt.delivery() else {
            Issue.record("expected a conflict")
            return
        }
        #expect(service.writes == 1)
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func codecWithoutMembersMergesNothing(way: Way) async throws {
        let whole = EntityKind("note", codec: Codec(encode: Note.codec.encode, decode: Note.codec.decode))
        let app = stage.app(way, kind: whole)
        _ = await app.notes.snapshot(id: 1)
        let theirs = Note(id: 1, title: "one", text: "theirs")
        service.put(theirs)
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        guard case .conflict = await receipt.delivery() else {
            Issue.record("expected a conflict")
            return
        }
        #expect(service.models == [theirs])
        await app.end()
    }

    /// The second edit is based on the title that the service rejected.
    @Test(arguments: Way.allCases)
    func editAfterRejectedEditSendsItsOwnMembersOnly(way: Way) async throws {
        let (gate, write) = (Gate(), try #require(service.source.write))
        let app = stage.app(
            way,
            source: service.source.writing { change, key in
                await gate.pass()
                if case .edit(let note, _, _) = change, note.title == "bad" {
                    return Snapshot(kept: nil, error: .answer(422))
                }
                return await write(change, key)
            })
        _ = await app.notes.snapshot(id: 1)
        async let first = app.notes.edit(1) { $0.title = "bad" }.delivery()
        await gate.arrivals(1)
        async let second = app.notes.edit(1) { $0.text = "mine" }.delivery()
        _ = await comesTrue { await app.notes.snapshot(id: 1, policy: .cacheOnly).value?.text == "mine" }
        gate.open()
        guard case .rejected = try await first else {
            Issue.record("expected that it is rejected")
            return
        }
        #expect(try await second == .delivered(Note(id: 1, title: "one", text: "mine")))
        await app.end()
    }

    // MARK: Models that are gone

    @Test(arguments: Way.allCases)
    func editOfDeletedModelIsAConflictWithoutTheirs(way: Way) async throws {
        let app = stage.app(way)
        _ = await app.notes.snapshot(id: 1)
        service.remove(1)
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        guard case .conflict(let theirs) = await receipt.delivery() else {
            Issue.record("expected a conflict")
            return
        }
        #expect(theirs.value == nil && theirs.error?.response?.status.code == 404)
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == nil)
        await app.end()
    }

    @Test func resolvingWithMineAddsDeletedModelAgain() async throws {
        let app = stage.app(.outbox)
        _ = await app.notes.snapshot(id: 1)
        service.remove(1)
        _ = try await app.notes.edit(1) { $0.title = "mine" }.delivery()
        try await waitUntil { try await !app.notes.conflicts().isEmpty }
        let conflict = try #require(try await app.notes.conflicts().first)
        #expect(conflict.theirs == nil && conflict.mine?.title == "mine")
        try await app.notes.resolve(conflict, with: .mine)
        await waitUntil { service.models == [Note(id: 1, title: "mine", text: "first")] }
        await app.end()
    }
}
