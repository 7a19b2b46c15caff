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

/// Changes of a model that another client has changed in the meantime.
struct ConflictTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let one = Note(id: 1, title: "one", text: "first")
    private let mine = Note(id: 1, title: "mine", text: "first")
    private let theirs = Note(id: 1, title: "theirs", text: "theirs")
    private let both = Note(id: 1, title: "mine", text: "theirs")

    /// Merges field by field.
    private let merging = OutboxStage.notes.merging { conflict in
        guard var merged = conflict.theirs, let mine = conflict.mine, let base = conflict.base else { return nil }
        if mine.title != base.title { merged.title = mine.title }
        return merged
    }

    /// An app whose edit is in conflict and set aside.
    private func app(_ kind: EntityKind<Note> = OutboxStage.notes) async throws -> OutboxStage.Process {
        let app = stage.begin(kind: kind)
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(theirs)
        _ = try await app.notes.edit(mine, .optimistic)
        return app
    }

    private func conflict(_ app: OutboxStage.Process) async throws -> WriteConflict<Note> {
        try await waitUntil { try await !app.notes.conflicts().isEmpty }
        return try #require(try await app.notes.conflicts().first)
    }

    @Test func conflictKeepsBaseMineAndTheirsInTheNextProcess() async throws {
        let first = try await app()
        let expected = try await conflict(first)
        #expect((expected.id, expected.base, expected.mine) == (1, one, mine) && expected.theirs == theirs)
        await first.end()
        let second = stage.begin()
        let found = try await conflict(second)
        #expect((found.base, found.mine, found.theirs) == (one, mine, theirs))
        #expect(try await second.notes.pending().keys.sorted() == [1])
        await second.end()
    }

    /// A refresh between the two edits brings the entity tag of the other client's version. The
    /// second edit is based on the title of the first.
    @Test func editAfterConflictSendsItsOwnMembersOnly() async throws {
        let app = stage.begin(isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        try await app.notes.edit(1) { $0.title = "mine" }
        let renamed = Note(id: 1, title: "theirs", text: "first")
        stage.service.put(renamed)
        _ = await app.notes.snapshot(id: 1, policy: .networkFirst)
        try await app.notes.edit(1) { $0.text = "mine too" }
        app.outbox.register(try #require(app.notes.destination))
        try await stage.settled()
        #expect(stage.service.models == [Note(id: 1, title: "theirs", text: "mine too")])
        #expect(try await app.notes.conflicts().map(\.mine) == [mine])
        await app.end()
    }

    @Test(arguments: ["mine", "theirs", "merged"])
    func resolutionOfConflictIsSentOrDropsTheEdit(choice: String) async throws {
        let app = try await app()
        let conflict = try await conflict(app)
        let resolution: WriteConflict<Note>.Resolution =
            choice == "mine" ? .mine : choice == "theirs" ? .theirs : .merged(both)
        try await app.notes.resolve(conflict, with: resolution)
        // Only the other client has changed the text.
        let expected = choice == "theirs" ? theirs : both
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == expected)
        try await waitUntil { try await app.notes.pending().isEmpty }
        #expect(stage.service.models == [expected])
        #expect(try await app.notes.conflicts().isEmpty)
        do {
            try await app.notes.resolve(conflict, with: .mine)
            Issue.record("expected that it is settled")
        } catch {
            #expect(error.code == .notFound)
        }
        await app.end()
    }

    @Test func mergingKindResolvesConflictBeforeItIsShown() async throws {
        let app = stage.begin(kind: merging)
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(theirs)
        let receipt = try await app.notes.edit(mine, .optimistic)
        #expect(await receipt.delivery() == .delivered(both))
        #expect(stage.service.models == [both])
        #expect(try await app.notes.conflicts().isEmpty)
        try await waitUntil { try await app.notes.pending().isEmpty }
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == both)
        await app.end()
    }

    @Test func mergedModelIsShownUntilItIsDelivered() async throws {
        let (gate, app) = (Gate(), stage.begin(kind: merging, isDelivering: false))
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(theirs)
        let write = try #require(stage.service.source.write)
        _ = try await app.notes.edit(mine, .optimistic)
        let held = stage.service.source.writing { change, key in
            if case .edit(let note, _, _) = change, note == both { await gate.pass() }
            return await write(change, key)
        }
        await app.end()
        let next = stage.begin(held, kind: merging)
        await gate.arrivals(1)
        let shown = await next.notes.snapshot(id: 1, policy: .cacheOnly)
        #expect(shown.value == both && shown.kept?.isPending == true)
        #expect(try await next.notes.pending()[1] == .sending)
        gate.open()
        await waitUntil { stage.service.models == [both] }
        try await waitUntil { try await next.notes.pending().isEmpty }
        await next.end()
    }

    /// The edits are based on the other client's version as it was shown under `mine`. They are not
    /// based on the result of the merge.
    @Test func editDuringMergeDoesNotOverwriteTheMerged() async throws {
        let gate = Gate()
        let combined = ["first", "second"].map { Note(id: 1, title: "combined", text: $0) }
        let kind = OutboxStage.notes.merging { conflict in
            if conflict.mine?.text == "once" { return combined[1] }
            guard conflict.mine == mine else { return nil }
            await gate.pass()
            return combined[0]
        }
        let app = stage.begin(kind: kind)
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(theirs)
        _ = try await app.notes.edit(mine, .optimistic)
        await gate.arrivals(1)
        var edited = try #require(await app.notes.snapshot(id: 1, policy: .cacheOnly).value)
        for text in ["once", "twice"] {
            edited.text = text
            _ = try await app.notes.edit(edited, .optimistic)
        }
        gate.open()
        try await waitUntil { try await stage.store.counts(of: nil).pending.isEmpty }
        #expect(stage.service.models == [combined[1]])
        let found = try await app.notes.conflicts()
        #expect(found.map(\.mine) == [edited] && found.map(\.theirs) == [combined[1]])
        await app.end()
    }

    @Test func editAfterMergeIsNoConflict() async throws {
        let (gate, kind) = (Gate(), merging)
        let write = try #require(stage.service.source.write)
        let source = stage.service.source.writing { change, key in
            if case .edit(let note, _, _) = change, note == both { await gate.pass() }
            return await write(change, key)
        }
        let app = stage.begin(source, kind: kind)
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(theirs)
        _ = try await app.notes.edit(mine, .optimistic)
        await gate.arrivals(1)
        var edited = try #require(await app.notes.snapshot(id: 1, policy: .cacheOnly).value)
        #expect(edited == both)
        edited.text = "afterwards"
        _ = try await app.notes.edit(edited, .optimistic)
        gate.open()
        try await waitUntil { try await stage.store.counts(of: nil).pending.isEmpty }
        #expect(stage.service.models == [edited])
        #expect(try await app.notes.conflicts().isEmpty && stage.service.writes == 3)
        await app.end()
    }

    /// The journal did not store the merged edit, or the delivering process ended first.
    @Test func unsentMergeOverwritesNothing() async throws {
        let app = stage.begin(kind: merging, isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(theirs)
        _ = try await app.notes.edit(mine, .optimistic)
        let destination = try #require(app.notes.destination)
        let entry = try #require(try await stage.store.records(of: nil, after: nil, limit: 1).first).entry
        for _ in 0..<2 {
            guard case .conflict(_, let theirs) = await destination.deliver(entry).verdict else {
                return #expect(Bool(false), "expected a conflict")
            }
            #expect(await destination.merging(ConflictRecord(entry: entry, theirs: theirs)) != nil)
            #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == both)
        }
        #expect(stage.service.models == [theirs])
        await app.end()
    }

    @Test func unmergedConflictIsADeadLetter() async throws {
        let app = try await app(OutboxStage.notes.merging { _ in nil })
        #expect(try await conflict(app).mine == mine)
        let shown = await app.notes.snapshot(id: 1, policy: .cacheOnly)
        #expect(shown.value == theirs && shown.kept?.isPending == false)
        await app.end()
    }

    @Test(arguments: ["mine", "merged"])
    func changeAfterConflictWasShownIsAConflictAgain(choice: String) async throws {
        let app = try await app()
        let seen = try await conflict(app)
        let newest = Note(id: 1, title: "newest", text: "theirs")
        stage.service.put(newest)
        // The store has the newest version now.
        _ = await app.notes.snapshot(id: 1, policy: .networkFirst)
        try await app.notes.resolve(seen, with: choice == "mine" ? .mine : .merged(both))
        try await waitUntil { try await stage.store.counts(of: nil).pending.isEmpty }
        #expect(stage.service.models == [newest])
        let again = try await app.notes.conflicts()
        #expect(again.map(\.theirs) == [newest] && again.map(\.mine) == [both])
        await app.end()
    }

    @Test func conflictFoundByOtherProcessCanBeResolvedHere() async throws {
        let store = WatchedWriteStore(sendsNotifications: false)
        let here = stage.begin(in: store, isDelivering: false)
        _ = await here.notes.snapshot(id: 1)
        stage.service.put(theirs)
        let receipt = try await here.notes.edit(mine, .optimistic)
        let there = stage.begin(in: store.base)
        let conflict = try await conflict(there)
        #expect(await here.notes.snapshot(id: 1, policy: .cacheOnly).kept?.isPending == true)
        try await here.notes.resolve(conflict, with: .theirs)
        let shown = await here.notes.snapshot(id: 1, policy: .cacheOnly)
        #expect(shown.value == theirs && shown.kept?.isPending == false)
        #expect(try await here.notes.pending().isEmpty)
        guard case .conflict = await receipt.delivery() else { return #expect(Bool(false), "expected a conflict") }
        await here.end()
        await there.end()
    }

    /// The service has taken the edit, but its answer was lost. The read that follows fails too.
    @Test func deliveredEditIsNoConflictIfTheirsIsUnreadable() async throws {
        let (write, get) = (try #require(stage.service.source.write), stage.service.source.get)
        let isFirst = Mutex(true)
        let isReadable = Mutex(true)
        let source = RemoteSource<Note>(get: { id, mode in
            isReadable.withLock(\.self) ? await get(id, mode) : Snapshot(kept: nil, error: OutboxStage.unreachable)
        }).writing { change, key in
            let answer = await write(change, key)
            let isLost = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return isLost ? Snapshot(kept: nil, error: OutboxStage.unreachable) : answer
        }
        let app = stage.begin(source, isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        _ = try await app.notes.edit(mine, .optimistic)
        isReadable.withLock { $0 = false }
        let destination = try #require(app.notes.destination)
        let entry = try #require(try await stage.store.records(of: nil, after: nil, limit: 1).first).entry
        for _ in 0..<2 {
            guard case .offline = await destination.deliver(entry).verdict else {
                return #expect(Bool(false), "expected that it goes on waiting")
            }
            #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).kept?.isPending == true)
        }
        isReadable.withLock { $0 = true }
        #expect(await destination.deliver(entry).verdict == .delivered)
        #expect(stage.service.models == [mine])
        await app.end()
    }

    /// Waiting does not help, as later reads will fail in the same way.
    @Test func theirsThatCanNotBeDecodedIsAConflict() async throws {
        let head = HTTPResponse(status: .ok)
        let failure = ReadFailure(.undecodable, message: "scripted: no note", response: head)
        let (write, get) = (try #require(stage.service.source.write), stage.service.source.get)
        let isReadable = Mutex(true)
        let source = RemoteSource<Note>(get: { id, mode in
            isReadable.withLock(\.self) ? await get(id, mode) : Snapshot(kept: nil, error: failure)
        }).writing { await write($0, $1) }
        let app = stage.begin(source, isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        stage.service.put(theirs)
        _ = try await app.notes.edit(mine, .optimistic)
        isReadable.withLock { $0 = false }
        let entry = try #require(try await stage.store.records(of: nil, after: nil, limit: 1).first).entry
        guard case .conflict? = await app.notes.destination?.deliver(entry).verdict else {
            return #expect(Bool(false), "expected a conflict")
        }
        await app.end()
    }

    @Test func identifyingByKeyPathSetsTheID() {
        struct Task: Identifiable, Sendable { var id: Int }
        let kind = EntityKind("task", codec: Codec<Task>(encode: { _ in [] }, decode: { _, _ in Task(id: 1) }))
        #expect(kind.identifying(by: \.id).identify?(Task(id: -1), 42).id == 42)
    }
}
