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

/// Two processes over one store: an edit made without knowledge of the other process's change
/// overwrites nothing.
struct TwoProcessTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let mine = Note(id: 1, title: "mine", text: "first")
    private let theirs = Note(id: 1, title: "theirs", text: "theirs")
    private let combined = Note(id: 1, title: "combined", text: "combined")

    /// A kind that merges `mine` with the other client's version once the gate is open.
    private func kind(_ gate: Gate = Gate()) -> EntityKind<Note> {
        OutboxStage.notes.merging { [mine, combined] conflict in
            guard conflict.mine == mine else { return nil }
            await gate.pass()
            return combined
        }
    }

    /// Holds the merged edit before it reaches the service.
    private func source(_ gate: Gate) throws -> RemoteSource<Note> {
        let write = try #require(stage.service.source.write)
        return stage.service.source.writing { [combined] change, key in
            if case .edit(combined, _, _) = change { await gate.pass() }
            return await write(change, key)
        }
    }

    private func settled(_ store: any WriteStore) async throws {
        try await waitUntil { try await store.counts(of: nil).pending.isEmpty }
    }

    /// A process with an edit in conflict, and another process that has read the edit.
    private func pair(
        _ watched: WatchedWriteStore, _ kind: EntityKind<Note>, _ source: RemoteSource<Note>
    ) async throws -> (here: OutboxStage.Process, there: OutboxStage.Process) {
        let here = stage.begin(source, in: watched.base, kind: kind, isDelivering: false)
        let there = stage.begin(in: watched, kind: kind, isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        _ = try await here.notes.edit(mine, .optimistic)
        #expect(try await there.notes.pending().count == 1)
        stage.service.put(theirs)
        here.outbox.register(try #require(here.notes.destination))
        return (here, there)
    }

    @Test(arguments: [false, true])
    func otherProcessEditDuringMergeDoesNotOverwriteTheMerged(isInJournal: Bool) async throws {
        let (merging, sending) = (Gate(), Gate())
        let watched = WatchedWriteStore(sendsNotifications: false)
        let (here, there) = try await pair(watched, kind(merging), try source(sending))
        await merging.arrivals(1)
        if isInJournal {
            merging.open()
            await sending.arrivals(1)
        }
        var edited = try #require(await there.notes.snapshot(id: 1, policy: .cacheOnly).value)
        #expect(edited == Note(id: 1, title: "mine", text: "theirs"))
        edited.text = "unaware"
        _ = try await there.notes.edit(edited, .optimistic)
        merging.open()
        sending.open()
        try await settled(watched.base)
        #expect(stage.service.models == [combined])
        let found = try await there.notes.conflicts()
        #expect(found.map(\.mine) == [edited] && found.map(\.theirs) == [combined])
        await here.end()
        await there.end()
    }

    /// The other process has seen an edit on top of the merged one, and not the merged one itself.
    /// It changes a member whose last value it knows.
    @Test func editOnEditOfMergedModelKeepsMergedMembers() async throws {
        let (merging, sending) = (Gate(), Gate())
        merging.open()
        let watched = WatchedWriteStore()
        let (here, there) = try await pair(watched, kind(merging), try source(sending))
        await sending.arrivals(1)
        let aware = Note(id: 1, title: "combined", text: "aware")
        _ = try await here.notes.edit(aware, .optimistic)
        var edited = mine
        while edited.text != aware.text {
            edited = try #require(await there.notes.snapshot(id: 1, policy: .cacheOnly).value)
        }
        #expect(edited.title == "mine")
        edited.text = "unaware"
        _ = try await there.notes.edit(edited, .optimistic)
        sending.open()
        try await settled(watched.base)
        #expect(stage.service.models == [Note(id: 1, title: "combined", text: "unaware")])
        #expect(try await there.notes.conflicts().isEmpty)
        await here.end()
        await there.end()
    }

    /// The editor has seen the merged values, even though another process sends them.
    @Test func nextProcessEditOfMergedModelIsNoConflict() async throws {
        let (merging, sending) = (Gate(), Gate())
        merging.open()
        let watched = WatchedWriteStore(sendsNotifications: false)
        let (here, there) = try await pair(watched, kind(merging), try source(sending))
        await sending.arrivals(1)
        let next = stage.begin(in: watched.base, kind: kind(), isDelivering: false)
        var edited = try #require(await next.notes.snapshot(id: 1, policy: .cacheOnly).value)
        #expect(edited == combined)
        edited.text = "afterwards"
        _ = try await next.notes.edit(edited, .optimistic)
        sending.open()
        try await settled(watched.base)
        #expect(stage.service.models == [edited])
        #expect(try await next.notes.conflicts().isEmpty)
        for process in [here, there, next] { await process.end() }
    }

    /// Both processes were given the entry, as after an expired lease.
    @Test func changeThatIsSettledElsewhereIsNotSentAgain() async throws {
        let here = stage.begin(isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        _ = try await here.notes.edit(mine, .optimistic)
        let entry = try #require(try await stage.store.records(of: nil, after: nil, limit: 1).first).entry
        let there = stage.begin()
        try await settled(stage.store)
        try await waitUntil { try await here.notes.pending().isEmpty }
        let writes = stage.service.writes
        let delivery = await here.notes.destination?.deliver(entry)
        #expect(delivery?.verdict.failure?.code == .init("settledElsewhere") && stage.service.writes == writes)
        #expect(await here.notes.snapshot(id: 1, policy: .cacheOnly).kept?.isPending == false)
        #expect(try await here.notes.pending().isEmpty)
        await here.end()
        await there.end()
    }

    // MARK: What is late

    /// Delivers an answer after another process has taken over, as to a suspended process.
    private func late(
        _ change: (OutboxStage.Process) async throws -> Void,
        meanwhile: (OutboxStage.Process, OutboxEntry.ID) async throws -> Void
    ) async throws -> OutboxStage.Process {
        let gate = Gate()
        let write = try #require(stage.service.source.write)
        let slow = stage.service.source.writing { change, key in
            let answer = await write(change, key)
            await gate.pass()
            return answer
        }
        let here = stage.begin(slow, isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        try await change(here)
        let destination = try #require(here.notes.destination)
        let entry = try #require(try await stage.store.records(of: nil, after: nil, limit: 1).first).entry
        let sending = Task { await destination.deliver(entry) }
        await gate.arrivals(1)
        let there = stage.begin(isDelivering: false)
        try await meanwhile(there, entry.id)
        gate.open()
        #expect(await sending.value.verdict == .delivered)
        await here.end()
        return there
    }

    @Test func lateAnswerDoesNotReplaceNewerModel() async throws {
        let newest = Note(id: 1, title: "newest", text: "first")
        let there = try await late { here in
            _ = try await here.notes.edit(mine, .optimistic)
        } meanwhile: { there, _ in
            there.outbox.register(try #require(there.notes.destination))
            _ = try await there.notes.edit(newest, .optimistic)
            try await stage.settled()
        }
        #expect(await there.notes.snapshot(id: 1, policy: .cacheOnly).value == newest)
        #expect(stage.service.models == [newest])
        // This process can't know which of the two versions is the later one.
        #expect(try await stage.store.row(EntityKey(kind: "note", id: "1"))?.staleAt == .distantPast)
        await there.end()
    }

    /// No other process has settled the entry. The version read in the meantime is older than the
    /// edit, or is the edit itself.
    @Test func rowReadBeforeTheAnswerStaysFresh() async throws {
        let there = try await late { here in
            _ = try await here.notes.edit(mine, .optimistic)
        } meanwhile: { there, _ in
            _ = await there.notes.snapshot(id: 1, policy: .networkFirst)
        }
        let row = try #require(try await stage.store.row(EntityKey(kind: "note", id: "1")))
        #expect(row.staleAt != .distantPast)
        #expect(stage.service.models == [mine])
        await there.end()
    }

    @Test func lateDeletionAnswerKeepsModelAddedSince() async throws {
        let again = Note(id: 1, title: "again", text: "first")
        let there = try await late { here in
            _ = try await here.notes.delete(id: 1, .optimistic)
        } meanwhile: { there, _ in
            there.outbox.register(try #require(there.notes.destination))
            try await stage.settled()
            _ = try await there.notes.add(again, .optimistic)
            try await stage.settled()
        }
        #expect(await there.notes.snapshot(id: 1, policy: .cacheOnly).value == again)
        await there.end()
    }

    @Test func lateEditAnswerDoesNotRestoreModelDeletedSince() async throws {
        let there = try await late { here in
            _ = try await here.notes.edit(mine, .optimistic)
        } meanwhile: { there, _ in
            there.outbox.register(try #require(there.notes.destination))
            _ = try await there.notes.delete(id: 1, .optimistic)
            try await stage.settled()
        }
        #expect(await there.notes.snapshot(id: 1, policy: .cacheOnly).value == nil)
        await there.end()
    }

    @Test func discardedEditThatServiceTookIsShown() async throws {
        let there = try await late { here in
            _ = try await here.notes.edit(mine, .optimistic)
        } meanwhile: { there, entry in
            try await there.outbox.discard([DeliveryID(entry, to: "entity/note")])
        }
        #expect(await there.notes.snapshot(id: 1, policy: .cacheOnly).value == mine)
        await there.end()
    }

    /// This process is not notified that the edit before its own was delivered.
    @Test func anEditThatAnotherProcessHasDeliveredIsNotShownOverALaterOne() async throws {
        let watched = WatchedWriteStore(sendsNotifications: false)
        let write = try #require(stage.service.source.write)
        let isFirst = Mutex(true)
        let oneChange = stage.service.source.writing { change, key in
            let mayPass = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return mayPass ? await write(change, key) : Snapshot(kept: nil, error: OutboxStage.unreachable)
        }
        let here = stage.begin(oneChange, in: watched.base, isDelivering: false)
        let there = stage.begin(in: watched, isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        try await here.notes.edit(1) { $0.text = "a" }
        #expect(try await there.notes.pending().count == 1)
        try await there.notes.edit(1) { $0.text = "b" }
        here.outbox.register(try #require(here.notes.destination))
        await waitUntil { stage.service.models.first?.text == "a" }
        try await waitUntil { try await watched.base.records(of: nil, after: nil, limit: 9).count == 1 }
        await here.end()
        there.outbox.register(try #require(there.notes.destination))
        try await waitUntil { try await watched.base.counts(of: nil).pending.isEmpty }
        #expect(stage.service.models.first?.text == "b")
        #expect(await there.notes.snapshot(id: 1, policy: .cacheOnly).value?.text == "b")
        await there.end()
    }

    /// The last of three edits is based on fields of both edits before it, which were based on
    /// different versions.
    ///
    /// - Parameter isDiscarded: whether a person discards the first edit before the others are
    ///   sent.
    @Test(arguments: [false, true])
    func editAfterConflictSendsItsOwnMembersOnly(isDiscarded: Bool) async throws {
        let watched = WatchedWriteStore(sendsNotifications: false)
        let write = try #require(stage.source.write)
        let holds = Mutex(isDiscarded)
        let source = stage.source.writing { [service = stage.service] change, key in
            let answer = await write(change, key)
            if holds.withLock({ holds in
                defer { holds = false }
                return holds
            }) {
                service.failWrites(OutboxStage.unreachable)
            }
            return answer
        }
        let here = stage.begin(in: watched, isDelivering: false)
        let there = stage.begin(source, in: watched.base, isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        // This process has read the journal, and gets no further notification.
        #expect(try await here.notes.pending().isEmpty)
        try await there.notes.edit(1) { $0.title = "mine" }
        stage.service.put(Note(id: 1, title: "theirs", text: "first"))
        _ = await here.notes.snapshot(id: 1, policy: .networkFirst)
        try await here.notes.edit(1) { $0.text = "here" }
        await waitUntil { await there.notes.snapshot(id: 1, policy: .cacheOnly).value?.text == "here" }
        try await there.notes.edit(1) { $0.text += " and there" }
        there.outbox.register(try #require(there.notes.destination))
        if isDiscarded {
            try await waitUntil { try await there.notes.conflicts().count == 1 }
            try await there.notes.resolve(try #require(try await there.notes.conflicts().first), with: .theirs)
            stage.reconnect()
        }
        try await settled(watched.base)
        #expect(stage.service.models == [Note(id: 1, title: "theirs", text: "here and there")])
        let conflicts = try await there.notes.conflicts().map(\.mine?.text)
        #expect(conflicts == (isDiscarded ? [] : ["first"]))
        await here.end()
        await there.end()
    }
}
