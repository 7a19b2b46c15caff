import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfRepository
import WharfStores

/// `edit(_:basedOn:_:)`, and edits of models without an entity tag, with an outbox and without.
struct EditOfShownTests {
    typealias Note = WriteLaws.Note

    typealias Way = EditingStage.Way

    private let editing = EditingStage([Note(id: 1, title: "one", text: "first")])
    private let shown = Note(id: 1, title: "one", text: "first")

    enum Tags: CaseIterable { case all, none }

    private var stage: OutboxStage { editing.outbox }

    private func app(
        _ way: Way, _ tags: Tags = .all, kind: EntityKind<Note> = OutboxStage.notes
    ) -> EditingStage.App {
        editing.app(way, source: tags == .all ? nil : stage.service.source.withoutTags, kind: kind)
    }

    private func isConflict(_ outcome: WriteOutcome<Note>, with theirs: Note?) -> Bool {
        guard case .conflict(let found) = outcome else { return false }
        return found.value == theirs
    }

    // MARK: A form

    @Test(arguments: Way.allCases, Tags.allCases)
    func foreignChangeToAnotherMemberIsKept(way: Way, tags: Tags) async throws {
        let app = app(way, tags)
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(Note(id: 1, title: "theirs", text: "first"))
        _ = await app.notes.snapshot(id: 1, policy: .networkOnly)
        let receipt = try await app.notes.edit(Note(id: 1, title: "one", text: "mine"), basedOn: shown)
        let both = Note(id: 1, title: "theirs", text: "mine")
        #expect(await receipt.delivery() == .delivered(both))
        #expect(stage.service.models == [both])
        await app.end()
    }

    @Test(arguments: Way.allCases, Tags.allCases)
    func foreignChangeToSameMemberIsAConflict(way: Way, tags: Tags) async throws {
        let app = app(way, tags)
        _ = await app.notes.snapshot(id: 1)
        let theirs = Note(id: 1, title: "theirs", text: "first")
        stage.service.put(theirs)
        _ = await app.notes.snapshot(id: 1, policy: .networkOnly)
        let receipt = try await app.notes.edit(Note(id: 1, title: "mine", text: "first"), basedOn: shown)
        #expect(isConflict(await receipt.delivery(), with: theirs))
        #expect(stage.service.models == [theirs])
        await app.end()
    }

    @Test(arguments: Tags.allCases)
    func conflictHasTheShownModelAsItsBase(tags: Tags) async throws {
        let app = app(.outbox, tags)
        _ = await app.notes.snapshot(id: 1)
        let (mine, theirs) = (Note(id: 1, title: "mine", text: "first"), Note(id: 1, title: "theirs", text: "first"))
        stage.service.put(theirs)
        _ = await app.notes.snapshot(id: 1, policy: .networkOnly)
        _ = try await app.notes.edit(mine, basedOn: shown).delivery()
        try await waitUntil { try await !app.notes.conflicts().isEmpty }
        let conflict = try #require(try await app.notes.conflicts().first)
        #expect((conflict.base, conflict.mine, conflict.theirs) == (shown, mine, theirs))
        await app.end()
    }

    @Test(arguments: [WriteMode.confirmed, .optimistic])
    func editDuringDeliveryOfAnotherOnSameBaseIsDelivered(mode: WriteMode) async throws {
        let app = app(.outbox)
        _ = await app.notes.snapshot(id: 1)
        let gate = Gate()
        stage.service.holdWrites(at: gate)
        _ = try await app.notes.edit(Note(id: 1, title: "m", text: "first"), basedOn: shown, mode)
        await gate.arrivals(1)
        let last = Note(id: 1, title: "mi", text: "first")
        let receipt = try await app.notes.edit(last, basedOn: shown, mode)
        gate.open()
        #expect(await receipt.delivery() == .delivered(last))
        #expect(stage.service.models == [last])
        await app.end()
    }

    /// Each edit of a form is based on the result of the edit before.
    @Test(arguments: Way.allCases, Tags.allCases)
    func editBasedOnThePreviousEditIsDelivered(way: Way, tags: Tags) async throws {
        let app = app(way, tags)
        var last = try await app.notes.get(id: 1)
        for title in ["m", "mi", "min", "mine"] {
            let next = Note(id: 1, title: title, text: "first")
            #expect(await (try await app.notes.edit(next, basedOn: last)).delivery() == .delivered(next))
            last = next
        }
        #expect(stage.service.models == [last])
        await app.end()
    }

    /// Each edit is based on the result of the edit before, which has not reached the service yet.
    @Test func editsThatWaitAreCoalesced() async throws {
        let app = stage.begin(kind: OutboxStage.notes.coalescingEdits(), isDelivering: false)
        var last = try await app.notes.get(id: 1)
        for title in ["m", "mi", "min", "mine"] {
            let next = Note(id: 1, title: title, text: "first")
            _ = try await app.notes.edit(next, basedOn: last)
            last = next
        }
        app.outbox.register(try #require(app.notes.destination))
        try await stage.settled()
        #expect(stage.service.models == [last] && stage.service.writes == 1)
        await app.end()
    }

    @Test func editBasedOnTemporaryIDMergesWithServiceModel() async throws {
        let write = try #require(stage.service.source.write)
        let source = stage.service.source.writing { change, key in
            guard case .add(let note) = change else { return await write(change, key) }
            return await write(.add(Note(id: 42, title: note.title)), key)
        }
        let app = stage.begin(source, kind: OutboxStage.identified)
        let new = Note(id: -1, title: "new")
        _ = await (try await app.notes.add(new, .optimistic)).delivery()
        stage.service.put(Note(id: 42, title: "theirs"))
        _ = await app.notes.snapshot(id: 42, policy: .networkOnly)
        let edit = try await app.notes.edit(Note(id: -1, title: "new", text: "mine"), basedOn: new)
        #expect(await edit.delivery() == .delivered(Note(id: 42, title: "theirs", text: "mine")))
        await app.end()
    }

    @Test(arguments: Way.allCases)
    func editThatChangesTheIDIsRefused(way: Way) async {
        let app = app(way)
        _ = await app.notes.snapshot(id: 1)
        do throws(WriteFailure) {
            _ = try await app.notes.edit(Note(id: 2, title: "one", text: "first"), basedOn: shown)
            Issue.record("the edit was taken")
        } catch {
            #expect(error.code == .invalid)
        }
        #expect(stage.service.writes == 0)
        await app.end()
    }

    @Test func aSnapshotIsABase() async throws {
        let app = app(.direct)
        let snapshot = await app.notes.snapshot(id: 1)
        stage.service.put(Note(id: 1, title: "theirs", text: "first"))
        let receipt = try await app.notes.edit(Note(id: 1, title: "one", text: "mine"), basedOn: snapshot)
        #expect(await receipt.delivery() == .delivered(Note(id: 1, title: "theirs", text: "mine")))
        await app.end()
    }

    @Test func aSnapshotWithoutAValueIsNoBase() async throws {
        let app = app(.direct)
        let snapshot = await app.notes.snapshot(id: 2)
        do throws(WriteFailure) {
            _ = try await app.notes.edit(Note(id: 2, title: "mine"), basedOn: snapshot)
            Issue.record("the edit was taken")
        } catch {
            #expect(error.code == .invalid && error.message.contains("read the model first"))
        }
        #expect(stage.service.writes == 0)
        await app.end()
    }

    /// The store has no base for the edit, as after an eviction.
    @Test(arguments: Way.allCases, Tags.allCases)
    func editOfUnstoredModelReadsItFirst(way: Way, tags: Tags) async throws {
        let app = app(way, tags)
        stage.service.put(Note(id: 1, title: "theirs", text: "first"))
        let receipt = try await app.notes.edit(Note(id: 1, title: "one", text: "mine"), basedOn: shown)
        #expect(await receipt.delivery() == .delivered(Note(id: 1, title: "theirs", text: "mine")))
        let other = try await app.notes.edit(Note(id: 1, title: "mine", text: "first"), basedOn: shown)
        #expect(isConflict(await other.delivery(), with: Note(id: 1, title: "theirs", text: "mine")))
        await app.end()
    }

    /// The last edit is based on the form's title, which was refused. It is sent with the tag of
    /// the answer to the first edit.
    @Test(arguments: Way.allCases)
    func editAfterRefusedFormSendsItsOwnMembersOnly(way: Way) async throws {
        let app = app(way)
        _ = try await app.notes.list()
        let gate = Gate()
        stage.service.holdWrites(at: gate)
        async let first = app.notes.edit(1) { $0.text = "mine" }.delivery()
        await gate.arrivals(1)
        let old = Note(id: 1, title: "old", text: "first")
        async let form = app.notes.edit(Note(id: 1, title: "mine", text: "first"), basedOn: old).delivery()
        _ = await comesTrue { await app.notes.snapshot(id: 1, policy: .cacheOnly).value?.title == "mine" }
        async let last = app.notes.edit(1) { $0.text += " again" }.delivery()
        _ = await comesTrue { await app.notes.snapshot(id: 1, policy: .cacheOnly).value?.text == "mine again" }
        stage.service.holdWrites(at: nil)
        gate.open()
        #expect(try await first == .delivered(Note(id: 1, title: "one", text: "mine")))
        #expect(isConflict(try await form, with: Note(id: 1, title: "one", text: "mine")))
        #expect(try await last == .delivered(Note(id: 1, title: "one", text: "mine again")))
        #expect(stage.service.models == [Note(id: 1, title: "one", text: "mine again")])
        await app.end()
    }

    // MARK: Without an entity tag

    @Test(arguments: Way.allCases, Tags.allCases)
    func editOfListRowOverForeignChangeIsAConflict(way: Way, tags: Tags) async throws {
        let mine = Note(id: 1, title: "mine", text: "first")
        let theirs = Note(id: 1, title: "theirs", text: "first")
        let edits: [@Sendable (Repository<Note>) async throws -> WriteReceipt<Note>] = [
            { try await $0.edit(mine, basedOn: shown) }, { try await $0.edit(mine, .optimistic) },
            { try await $0.edit(1) { $0.title = "mine" } },
        ]
        for edit in edits {
            let app = app(way, tags)
            stage.service.put(shown)
            _ = try await app.notes.list(policy: .networkOnly)
            stage.service.put(theirs)
            #expect(isConflict(await (try await edit(app.notes)).delivery(), with: theirs))
            #expect(stage.service.models == [theirs])
            await app.end()
        }
    }

    /// The second edit is based on the title of the refused edit, and must not send that title.
    @Test(arguments: Tags.allCases)
    func editAfterRefusedEditSendsItsOwnMembersOnly(tags: Tags) async throws {
        let app = app(.outbox, tags)
        _ = try await app.notes.list()
        let gate = Gate()
        stage.service.holdReads(at: gate)
        let first = try await app.notes.edit(1) { $0.title = "mine" }
        let second = try await app.notes.edit(1) { $0.text = "mine" }
        let theirs = Note(id: 1, title: "theirs", text: "first")
        stage.service.put(theirs)
        gate.open()
        #expect(isConflict(await first.delivery(), with: theirs))
        let both = Note(id: 1, title: "theirs", text: "mine")
        #expect(await second.delivery() == .delivered(both))
        #expect(stage.service.models == [both])
        await app.end()
    }

    @Test(arguments: Way.allCases, Tags.allCases)
    func editOfDeletedModelIsAConflict(way: Way, tags: Tags) async throws {
        let app = app(way, tags)
        _ = try await app.notes.list()
        stage.service.remove(1)
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        #expect(isConflict(await receipt.delivery(), with: nil))
        #expect(stage.service.writes == 0)
        await app.end()
    }

    @Test(arguments: Way.allCases, Tags.allCases)
    func editThatServiceAlreadyHasIsNotSent(way: Way, tags: Tags) async throws {
        let app = app(way, tags)
        _ = try await app.notes.list()
        let mine = Note(id: 1, title: "mine", text: "first")
        stage.service.put(mine)
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        #expect(await receipt.delivery() == .delivered(mine))
        #expect(stage.service.writes == 0)
        await app.end()
    }

    /// Another client changes the model between the two edits.
    @Test func foreignChangeBetweenTwoEditsIsAConflict() async throws {
        let untagged = stage.service.source.withoutTags
        let write = try #require(untagged.write)
        let theirs = Note(id: 1, title: "theirs", text: "first")
        let source = untagged.writing { [stage] change, key in
            let answer = await write(change, key)
            stage.service.put(theirs)
            return answer
        }
        let app = stage.begin(source, isDelivering: false)
        _ = try await app.notes.list()
        let first = try await app.notes.edit(1) { $0.title = "mine" }
        let second = try await app.notes.edit(1) { $0.title = "mine again" }
        app.outbox.register(try #require(app.notes.destination))
        #expect(await first.delivery() == .delivered(Note(id: 1, title: "mine", text: "first")))
        #expect(isConflict(await second.delivery(), with: theirs))
        #expect(stage.service.models == [theirs])
        await app.end()
    }

    @Test func unreadEditOverwritesForeignChange() async throws {
        let app = app(.direct, .none, kind: OutboxStage.notes.editingUnread())
        _ = try await app.notes.list()
        stage.service.put(Note(id: 1, title: "theirs", text: "theirs"))
        let receipt = try await app.notes.edit(1) { $0.title = "mine" }
        #expect(await receipt.delivery() == .delivered(Note(id: 1, title: "mine", text: "first")))
        await app.end()
    }
}
