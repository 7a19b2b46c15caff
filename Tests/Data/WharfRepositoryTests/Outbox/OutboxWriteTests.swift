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

/// Changes that wait in an outbox until the service has accepted them.
struct OutboxWriteTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let edited = Note(id: 1, title: "edited", text: "first")

    private func shown(_ process: OutboxStage.Process) async -> Note? {
        await process.notes.snapshot(id: 1, policy: .cacheOnly).value
    }

    @Test func editIsShownWhileUnreachableAndDeliveredLater() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        stage.service.failWrites(OutboxStage.unreachable)
        let receipt = try await app.notes.edit(edited, .optimistic)
        #expect(await shown(app) == edited)
        await eventually { await stage.failures().isEmpty == false }
        let waiting = await app.notes.snapshot(id: 1, policy: .cacheOnly)
        #expect(waiting.value == edited && waiting.kept?.isPending == true)
        #expect(stage.service.models.map(\.title) == ["one"])
        stage.reconnect()
        #expect(await receipt.delivery() == .delivered(edited))
        #expect(stage.service.models == [edited])
        let arrived = await app.notes.snapshot(id: 1, policy: .cacheOnly)
        #expect(arrived.value == edited && arrived.kept?.isPending == false)
        await app.end()
    }

    @Test func additionsAndDeletionsAreShownAtOnce() async throws {
        let app = stage.begin()
        _ = await app.notes.listSnapshot()
        stage.service.failWrites(OutboxStage.unreachable)
        try await app.notes.add(Note(id: 2, title: "added"))
        try await app.notes.delete(id: 1)
        #expect(await app.notes.listSnapshot(policy: .cacheOnly).value?.map(\.id) == [2])
        try await app.notes.add(Note(id: 3, title: "unshown"), .confirmed)
        #expect(await app.notes.listSnapshot(policy: .cacheOnly).value?.map(\.id) == [2])
        await app.end()
    }

    @Test func nextProcessShowsPendingEditAndSendsItUnderSameKey() async throws {
        let first = stage.begin()
        _ = await first.notes.snapshot(id: 1)
        stage.service.failWrites(OutboxStage.unreachable)
        _ = try await first.notes.edit(edited, .optimistic)
        await eventually { stage.service.writes > 0 }
        await first.end()
        let second = stage.begin(isDelivering: false)
        let waiting = await second.notes.snapshot(id: 1, policy: .cacheOnly)
        #expect(waiting.value == edited && waiting.kept?.isPending == true)
        // Lists show the edit too.
        #expect(await second.notes.listSnapshot().value == [edited])
        stage.reconnect()
        let destination = try #require(second.notes.destination)
        second.outbox.register(destination)
        await eventually { stage.service.models == [edited] }
        let keys = stage.keys.withLock { $0 }
        #expect(Set(keys).count == 1 && keys.first != .some(nil) && keys.count >= 2)
        await second.end()
    }

    @Test func refetchKeepsPendingEditOverTheirs() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        stage.service.failWrites(OutboxStage.unreachable)
        _ = try await app.notes.edit(edited, .optimistic)
        stage.service.put(Note(id: 1, title: "one", text: "theirs"))
        let refetched = await app.notes.snapshot(id: 1, policy: .networkFirst)
        // The fields merge: the service's value stays in each field that the edit did not change.
        #expect(refetched.value == Note(id: 1, title: "edited", text: "theirs"))
        await app.end()
    }

    @Test func rejectionOfOneEditLeavesTheNextDelivered() async throws {
        let gate = Gate()
        let refusing = stage.source.writing { change, _ in
            await gate.pass()
            guard case .edit(let note, _, _) = change, note.text == "first" else { return Snapshot(kept: nil) }
            let head = HTTPResponse(status: .init(code: 422))
            return Snapshot(kept: nil, error: ReadFailure(.status, message: "scripted: 422", response: head))
        }
        let app = stage.begin(refusing)
        _ = await app.notes.snapshot(id: 1)
        let first = try await app.notes.edit(edited, .optimistic)
        let second = try await app.notes.edit(Note(id: 1, title: "edited", text: "second"), .optimistic)
        #expect(await shown(app) == Note(id: 1, title: "edited", text: "second"))
        gate.open()
        guard case .rejected(let failure) = await first.delivery() else {
            return #expect(Bool(false), "expected a rejection")
        }
        #expect(failure.code == .invalid)
        guard case .delivered = await second.delivery() else { return #expect(Bool(false), "expected a delivery") }
        let letters = try await stage.store.deadLetters(of: nil, after: nil, limit: 10)
        #expect(letters.map(\.failure.status) == [422])
        await app.end()
    }

    @Test func conflictIsADeadLetterWithBaseAndTheirs() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(Note(id: 1, title: "theirs"))
        let receipt = try await app.notes.edit(edited, .optimistic)
        guard case .conflict(let theirs) = await receipt.delivery() else {
            return #expect(Bool(false), "expected a conflict")
        }
        #expect(theirs.value?.title == "theirs")
        await eventually { (try? await stage.store.deadLetters(of: nil, after: nil, limit: 1))?.isEmpty == false }
        let letter = try #require(try await stage.store.deadLetters(of: nil, after: nil, limit: 1).first)
        let conflict = try #require(letter.conflict)
        #expect(try conflict.base.map { try Note.codec.decode($0, 1).title } == "one")
        #expect(try conflict.theirs.map { try Note.codec.decode($0, 1).title } == "theirs")
        #expect(await shown(app)?.title == "theirs")
        await app.end()
    }

    @Test func editOfPendingEditIsNoConflictInTheNextProcess() async throws {
        let first = stage.begin()
        _ = await first.notes.snapshot(id: 1)
        stage.service.failWrites(OutboxStage.unreachable)
        let receipt = try await first.notes.edit(edited, .optimistic)
        let last = Note(id: 1, title: "edited", text: "again")
        let gate = Gate()
        _ = try await first.notes.edit(last, .optimistic)
        stage.reconnect()
        guard case .delivered = await receipt.delivery() else { return #expect(Bool(false), "expected a delivery") }
        stage.service.holdWrites(at: gate)
        await first.end()
        gate.open()
        let second = stage.begin()
        await eventually { stage.service.models == [last] }
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 1).isEmpty)
        await second.end()
    }

    @Test func editOfOfflineAdditionIsDeliveredBehindIt() async throws {
        let app = stage.begin(isDelivering: false)
        _ = try await app.notes.add(Note(id: 7, title: "new"), .optimistic)
        let last = try await app.notes.edit(Note(id: 7, title: "newer"), .optimistic)
        #expect(await app.notes.snapshot(id: 7, policy: .cacheOnly).value?.title == "newer")
        app.outbox.register(try #require(app.notes.destination))
        guard case .delivered = await last.delivery() else { return #expect(Bool(false), "expected a delivery") }
        #expect(stage.service.models.contains(Note(id: 7, title: "newer")))
        #expect(await app.notes.snapshot(id: 7, policy: .cacheOnly).kept?.isPending == false)
        await app.end()
    }

    @Test func editOfAdditionWithNewIDIsRejectedWithoutIdentifying() async throws {
        let service = ScriptedOrigin<Note>([], clock: stage.clock.wall)
        let write = try #require(service.source.write)
        let source = service.source.writing { change, key in
            guard case .add(let note) = change else { return await write(change, key) }
            return await write(.add(Note(id: 42, title: note.title, text: "at -1 degrees")), key)
        }
        let app = stage.begin(source, isDelivering: false)
        let added = try await app.notes.add(Note(id: -1, title: "new"), .optimistic)
        let edited = try await app.notes.edit(Note(id: -1, title: "newer"), .optimistic)
        app.outbox.register(try #require(app.notes.destination))
        #expect(await added.delivery() == .delivered(Note(id: 42, title: "new", text: "at -1 degrees")))
        guard case .rejected(let failure) = await edited.delivery() else {
            return #expect(Bool(false), "expected a dead letter")
        }
        #expect(failure.message.contains("the id -1 to 42"))
        #expect(await app.notes.snapshot(id: -1, policy: .cacheOnly).kept?.isPending != true)
        #expect(service.models == [Note(id: 42, title: "new", text: "at -1 degrees")])
        await app.end()
    }

    @Test func receiptOfClosedOutboxIsUnknown() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        stage.service.failWrites(OutboxStage.unreachable)
        let receipt = try await app.notes.edit(edited, .optimistic)
        await app.end()
        guard case .unknown = await receipt.delivery() else { return #expect(Bool(false), "expected to be told") }
    }

    @Test func editThatCanNotBeStoredThrows() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        stage.store.close()
        do {
            _ = try await app.notes.edit(edited, .optimistic)
            Issue.record("expected the store to fail")
        } catch {
            #expect(error.code == .storeFailed)
        }
        await app.end()
    }

    @Test func aDeletionIsShownAtOnceAndArrives() async throws {
        let app = stage.begin()
        _ = await app.notes.snapshot(id: 1)
        stage.service.failWrites(OutboxStage.unreachable)
        let receipt = try await app.notes.delete(id: 1, .optimistic)
        #expect(await shown(app) == nil)
        stage.reconnect()
        #expect(await receipt.delivery() == .delivered(nil))
        #expect(stage.service.models.isEmpty)
        await app.end()
    }

    /// Waits until the condition holds. The suite's time limit ends a wait that never succeeds.
    private func eventually(_ isSo: () async -> Bool) async {
        await waitUntil { await isSo() }
    }
}
