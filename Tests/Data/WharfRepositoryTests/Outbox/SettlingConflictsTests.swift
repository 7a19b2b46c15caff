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

/// The entry that is sent in place of a conflicting one, and the entries that wait behind it.
struct SettlingConflictsTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let mine = Note(id: 1, title: "mine", text: "first")

    /// A service that answers 412 to a conditional change of a model that is gone, as most services
    /// do.
    private func source(isReadable: @escaping @Sendable () -> Bool = { true }) throws -> RemoteSource<Note> {
        let (write, get) = (try #require(stage.service.source.write), stage.service.source.get)
        return RemoteSource<Note>(get: { id, mode in
            isReadable() ? await get(id, mode) : Self.answer(200, .undecodable)
        }).writing { change, key in
            let answer = await write(change, key)
            guard answer.error?.response?.status == .notFound, case .edit(_, _, .some) = change else { return answer }
            return Self.answer(412, .status)
        }
    }

    private static func answer(_ status: Int, _ code: ReadFailure.Code) -> Snapshot<Note> {
        let head = HTTPResponse(status: .init(code: status))
        return Snapshot(kept: nil, error: ReadFailure(code, message: "scripted: \(status)", response: head))
    }

    private func conflict(_ app: OutboxStage.Process) async throws -> WriteConflict<Note> {
        while true {
            let counts = try await stage.store.counts(of: nil)
            if !counts.dead.isEmpty || counts.pending.isEmpty { break }
            await Task.yield()
        }
        return try #require(try await app.notes.conflicts().first)
    }

    /// An addition whose id another client took and then edited, with an edit behind it.
    private func addition() async throws -> OutboxStage.Process {
        let app = stage.begin(isDelivering: false)
        _ = try await app.notes.add(Note(id: 5, title: "mine", text: "a"), .optimistic)
        _ = try await app.notes.edit(Note(id: 5, title: "mine", text: "b"), .optimistic)
        stage.service.put(Note(id: 5, title: "theirs", text: "a"))
        app.outbox.register(try #require(app.notes.destination))
        return app
    }

    @Test(arguments: [true, false])
    func dependentEditIsSentBehindResolvedAddition(isNextProcess: Bool) async throws {
        let first = try await addition()
        var conflict = try await conflict(first)
        let before = try await stage.store.records(of: nil, after: nil, limit: 9)
        if isNextProcess { await first.end() }
        let app = isNextProcess ? stage.begin() : first
        if isNextProcess { conflict = try await self.conflict(app) }
        stage.service.failWrites(OutboxStage.unreachable)
        try await app.notes.resolve(conflict, with: .mine)
        let shown = await app.notes.snapshot(id: 5, policy: .cacheOnly)
        #expect(shown.value == Note(id: 5, title: "mine", text: "b") && shown.kept?.isPending == true)
        let after = try await stage.store.records(of: nil, after: nil, limit: 9)
        #expect(after.map(\.entry.id) == before.map(\.entry.id))
        // The bytes under a key that the service has seen never change.
        #expect(after[0].entry.key != before[0].entry.key && after[1].entry == before[1].entry)
        stage.reconnect()
        try await stage.settled()
        #expect(stage.service.models.last == Note(id: 5, title: "mine", text: "b"))
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 9).isEmpty)
        await app.end()
    }

    /// The edit behind the addition was made without the merged values.
    @Test func editBasedOnMineConflictsWithMergedResolution() async throws {
        let app = try await addition()
        let both = Note(id: 5, title: "both", text: "both")
        try await app.notes.resolve(try await conflict(app), with: .merged(both))
        try await stage.settled()
        #expect(stage.service.models.last == both)
        let next = try #require(try await app.notes.conflicts().first)
        #expect(next.mine == Note(id: 5, title: "mine", text: "b") && next.theirs == both)
        await app.end()
    }

    @Test func droppingAdditionDiscardsItsDependentEdits() async throws {
        let app = try await addition()
        try await app.notes.resolve(try await conflict(app), with: .theirs)
        try await stage.settled()
        let letters = try await stage.store.deadLetters(of: nil, after: nil, limit: 9)
        #expect(letters.map(\.failure.code) == [.dependencyDiscarded])
        await app.end()
    }

    @Test(arguments: [true, false], ["mine", "merged"])
    func resolvingConflictAddsDeletedModelAgain(isNextProcess: Bool, choice: String) async throws {
        let first = stage.begin(try source())
        _ = await first.notes.snapshot(id: 1)
        stage.service.remove(1)
        _ = try await first.notes.edit(mine, .optimistic)
        var conflict = try await conflict(first)
        #expect(conflict.theirs == nil)
        if isNextProcess { await first.end() }
        let app = isNextProcess ? stage.begin(try source()) : first
        if isNextProcess { conflict = try await self.conflict(app) }
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == nil)
        stage.service.failWrites(OutboxStage.unreachable)
        try await app.notes.resolve(conflict, with: choice == "mine" ? .mine : .merged(mine))
        #expect(await app.notes.snapshot(id: 1, policy: .cacheOnly).value == mine)
        stage.reconnect()
        try await stage.settled()
        #expect(stage.service.models == [mine])
        #expect(try await stage.store.deadLetters(of: nil, after: nil, limit: 9).isEmpty)
        await app.end()
    }

    @Test func mergingKindAddsDeletedModelAgain() async throws {
        let kind = OutboxStage.notes.merging { conflict in conflict.theirs == nil ? conflict.mine : nil }
        let app = stage.begin(try source(), kind: kind)
        _ = await app.notes.snapshot(id: 1)
        stage.service.remove(1)
        #expect(try await app.notes.edit(mine, .optimistic).delivery() == .delivered(mine))
        #expect(stage.service.models == [mine])
        await app.end()
    }

    @Test func unseenTheirsIsNotReplacedBeforeARead() async throws {
        let isReadable = Mutex(true)
        let app = stage.begin(try source { isReadable.withLock(\.self) }, isDelivering: false)
        _ = try await app.notes.add(Note(id: 5, title: "mine"), .optimistic)
        stage.service.put(Note(id: 5, title: "theirs"))
        isReadable.withLock { $0 = false }
        app.outbox.register(try #require(app.notes.destination))
        let blind = try await conflict(app)
        await #expect {
            try await app.notes.resolve(blind, with: .mine)
        } throws: {
            ($0 as? WriteFailure)?.code == .notFound && "\($0)".contains("read the model")
        }
        isReadable.withLock { $0 = true }
        _ = await app.notes.snapshot(id: 5, policy: .networkFirst)
        try await app.notes.resolve(try await conflict(app), with: .mine)
        try await stage.settled()
        #expect(stage.service.models.last == Note(id: 5, title: "mine"))
        await app.end()
    }

    /// Two people resolve the same conflict in two processes, or one person resolves it twice.
    @Test(arguments: ["theirs", "mine", "merged"], [(true, false), (false, true)])
    func onlyTheFirstOfTwoResolutionsCounts(choice: String, _ situation: (Bool, Bool)) async throws {
        // `isAtOnce`: the first resolution commits between the read and the commit of the second.
        // `isAgain`: the entry of the first resolution is in conflict again by then.
        let (isAtOnce, isAgain) = situation
        let watched = WatchedWriteStore()
        let (here, there) = (stage.begin(in: watched), stage.begin(in: watched.base))
        _ = await here.notes.snapshot(id: 1)
        stage.service.put(Note(id: 1, title: "theirs", text: "first"))
        _ = try await here.notes.edit(mine, .optimistic)
        try await waitUntil { try await !watched.base.counts(of: nil).dead.isEmpty }
        let seen = try #require(try await here.notes.conflicts().first)
        let both = Note(id: 1, title: "both", text: "first")
        let first: @Sendable () async throws -> Void = { [stage] in
            // The replacement is in conflict as well, or keeps waiting.
            if isAgain {
                stage.service.put(Note(id: 1, title: "newest", text: "first"))
            } else {
                stage.service.failWrites(OutboxStage.unreachable)
            }
            try await there.notes.resolve(seen, with: .merged(both))
            while isAgain, try await watched.base.counts(of: nil).dead.isEmpty { await Task.yield() }
        }
        if isAtOnce { watched.beforeNextCommit(first) } else { try await first() }
        await #expect {
            try await here.notes.resolve(
                seen, with: choice == "theirs" ? .theirs : choice == "mine" ? .mine : .merged(both))
        } throws: {
            ($0 as? WriteFailure)?.code == .notFound && "\($0)".contains("read the conflicts again")
        }
        let found = try await watched.base.records(of: nil, after: nil, limit: 9)
        #expect(found.count == 1)
        if isAgain {
            let again = try #require(try await here.notes.conflicts().first)
            #expect(again.mine == both)
            try await here.notes.resolve(again, with: .mine)
        }
        stage.reconnect()
        try await waitUntil { try await watched.base.counts(of: nil).pending.isEmpty }
        #expect(stage.service.models == [both])
        #expect(try await watched.base.deadLetters(of: nil, after: nil, limit: 9).isEmpty)
        await here.end()
        await there.end()
    }
}
