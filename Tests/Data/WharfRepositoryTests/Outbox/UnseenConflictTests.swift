import Synchronization
import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfRepository
import WharfStorage
import WharfStores

/// A person's resolution of a conflict replaces only the version that the person has seen.
struct UnseenConflictTests {
    typealias Note = WriteLaws.Note

    private let stage = OutboxStage()
    private let mine = Note(id: 1, title: "mine", text: "first")
    private let theirs = Note(id: 1, title: "theirs", text: "first")
    private let newest = Note(id: 1, title: "newest", text: "first")

    private func conflict(_ app: OutboxStage.Process) async throws -> WriteConflict<Note> {
        try await stage.settled()
        return try #require(try await app.notes.conflicts().first)
    }

    /// An app with an edit that was set aside, or with an addition whose id another client took.
    private func app(isAddition: Bool = false) async throws -> OutboxStage.Process {
        if isAddition { stage.service.remove(1) }
        let app = stage.begin(isDelivering: false)
        if isAddition {
            _ = try await app.notes.add(mine, .optimistic)
        } else {
            _ = await app.notes.snapshot(id: 1)
            _ = try await app.notes.edit(mine, .optimistic)
        }
        stage.service.put(theirs)
        app.outbox.register(try #require(app.notes.destination))
        return app
    }

    private func forget() async throws {
        try await stage.store.commit([EntityChange.remove(EntityKey(kind: "note", id: "1"))])
    }

    /// The row is gone from the store. In one case a screen has read a newer version since.
    @Test(arguments: ["mine", "merged"], [true, false])
    func conflictWithEvictedRowReplacesOnlySeenTheirs(choice: String, isReadSince: Bool) async throws {
        let app = try await app()
        _ = try await conflict(app)
        try await forget()
        let seen = try await conflict(app)
        #expect(seen.theirs == theirs)
        stage.service.put(newest)
        if isReadSince { _ = await app.notes.snapshot(id: 1, policy: .networkFirst) }
        try await app.notes.resolve(seen, with: choice == "mine" ? .mine : .merged(mine))
        let again = try await conflict(app)
        #expect(stage.service.models == [newest])
        #expect(again.theirs == newest && again.mine == mine)
        try await app.notes.resolve(again, with: .mine)
        try await stage.settled()
        #expect(stage.service.models == [mine])
        await app.end()
    }

    /// The answers lose their strong tag, as behind a proxy that compresses large bodies. The
    /// service would refuse the old tag, and the tag of the edit sent before it as well.
    @Test(arguments: ["mine", "merged"], [true, false])
    func resolutionReplacesTheirsWithoutStrongTag(choice: String, isBehindAnother: Bool) async throws {
        let isWeak = Mutex(false)
        let service = stage.service.source
        let write = try #require(service.write)
        let first = Note(id: 1, title: "before", text: "first")
        let source = RemoteSource<Note>(get: { [stage] id, mode in
            let answer = await service.get(id, mode)
            guard isWeak.withLock({ $0 }), let model = answer.value else { return answer }
            return Snapshot(kept: .init(value: model, source: .network, asOf: stage.clock.wall.now()))
        }).writing { [stage, theirs] change, key in
            let answer = await write(change, key)
            if case .edit(first, _, _) = change {
                stage.service.put(theirs)
                isWeak.withLock { $0 = true }
            }
            return answer
        }
        let app = stage.begin(source, isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        if isBehindAnother { _ = try await app.notes.edit(first, .optimistic) }
        _ = try await app.notes.edit(mine, .optimistic)
        if !isBehindAnother {
            stage.service.put(theirs)
            isWeak.withLock { $0 = true }
        }
        app.outbox.register(try #require(app.notes.destination))
        let seen = try await conflict(app)
        #expect(seen.theirs == theirs)
        try await app.notes.resolve(seen, with: choice == "mine" ? .mine : .merged(mine))
        try await stage.settled()
        #expect(stage.service.models == [mine])
        await app.end()
    }

    /// The service has no tags and answers 409 for a reason of its own.
    @Test(arguments: ["mine", "merged"], [true, false])
    func newerUntaggedTheirsIsNotReplacedUnseen(choice: String, isReadSince: Bool) async throws {
        let refuses = Mutex(true)
        let service = stage.service.source
        let write = try #require(service.write)
        let get: RemoteSource<Note>.Get = { [stage] id, mode in
            let answer = await service.get(id, mode)
            guard let model = answer.value else { return answer }
            return Snapshot(kept: .init(value: model, source: .network, asOf: stage.clock.wall.now()))
        }
        let source = RemoteSource<Note>(get: get).writing { change, key in
            let refused = refuses.withLock { refuses in
                defer { refuses = false }
                return refuses
            }
            guard refused else { return await write(change, key) }
            let conflicting = HTTPResponse(status: .conflict)
            return Snapshot(kept: nil, error: ReadFailure(.status, message: "409", response: conflicting))
        }
        let app = stage.begin(source, kind: OutboxStage.notes.editingUnread(), isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        _ = try await app.notes.edit(mine, .optimistic)
        stage.service.put(theirs)
        app.outbox.register(try #require(app.notes.destination))
        let seen = try await conflict(app)
        #expect(seen.theirs == theirs)
        let decision: WriteConflict<Note>.Resolution = choice == "mine" ? .mine : .merged(mine)
        if isReadSince {
            stage.service.put(newest)
            _ = await app.notes.snapshot(id: 1, policy: .networkFirst)
            await #expect(throws: WriteFailure.self) { try await app.notes.resolve(seen, with: decision) }
            #expect(stage.service.models == [newest])
            try await app.notes.resolve(try await conflict(app), with: decision)
        } else {
            try await app.notes.resolve(seen, with: decision)
        }
        try await stage.settled()
        #expect(stage.service.models == [mine])
        await app.end()
    }

    /// The row has no tag after it came with a list, whose bytes differ from the model's.
    @Test func resolutionIsAConflictIfRowHasLostItsTag() async throws {
        let app = try await app()
        let seen = try await conflict(app)
        var row = try #require(try await stage.store.row(EntityKey(kind: "note", id: "1")))
        #expect(row.validator != nil)
        row.validator = nil
        try await stage.store.commit([EntityChange.put(row)])
        stage.service.put(newest)
        try await app.notes.resolve(seen, with: .mine)
        let again = try await conflict(app)
        #expect(stage.service.models == [newest] && again.theirs == newest)
        await app.end()
    }

    /// The addition has no base, so no entity tag is known at all.
    @Test func resolvedAdditionDoesNotReplaceUnseenModel() async throws {
        let app = try await app(isAddition: true)
        _ = try await conflict(app)
        try await forget()
        let seen = try await conflict(app)
        #expect(seen.theirs == theirs)
        stage.service.put(newest)
        try await app.notes.resolve(seen, with: .mine)
        let again = try await conflict(app)
        #expect(stage.service.models == [newest] && again.theirs == newest)
        do {
            try await app.notes.resolve(seen, with: .mine)
            Issue.record("expected that it is another by now")
        } catch {
            #expect(error.code == .notFound && "\(error)".contains("read the conflicts again"))
        }
        try await app.notes.resolve(again, with: .mine)
        try await stage.settled()
        #expect(stage.service.models == [mine])
        await app.end()
    }

    @Test func resolvedAdditionDoesNotReplaceModelReadSince() async throws {
        let app = try await app(isAddition: true)
        _ = try await conflict(app)
        try await forget()
        let seen = try await conflict(app)
        stage.service.put(newest)
        _ = await app.notes.snapshot(id: 1, policy: .networkFirst)
        do {
            try await app.notes.resolve(seen, with: .mine)
            Issue.record("expected that it has to be read again")
        } catch {
            #expect(error.code == .notFound && "\(error)".contains("read the model"))
        }
        #expect(stage.service.models == [newest])
        await app.end()
    }

    /// A service whose answers must not be stored.
    private func unstored(isTagged: Bool) throws -> RemoteSource<Note> {
        let (write, get) = (try #require(stage.service.source.write), stage.service.source.get)
        let unstored: @Sendable (Snapshot<Note>) -> Snapshot<Note> = { [stage] answer in
            guard let model = answer.value else { return answer }
            var head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "no-store"])
            if isTagged { head.headerFields[.eTag] = answer.kept?.response?.headerFields[.eTag] }
            return Snapshot(
                kept: .init(value: model, source: .network, asOf: stage.clock.wall.now(), response: head))
        }
        return RemoteSource<Note>(get: { unstored(await get($0, $1)) }).writing { unstored(await write($0, $1)) }
    }

    /// Advances the clock until nothing is pending, as a second conflict is sent again after a
    /// backoff.
    private func settledInTime() async throws {
        while try await !stage.store.counts(of: nil).pending.isEmpty {
            stage.clock.advance(by: .milliseconds(10))
            await Task.yield()
        }
    }

    /// The service is asked once more, as nothing else would reveal a newer version. If it has
    /// tags, a person is not asked twice about the same version.
    @Test(arguments: ["mine", "merged"], [(true, true), (true, false), (false, true), (false, false)])
    func resolutionReplacesTheirsOnceItStaysUnchanged(choice: String, _ situation: (Bool, Bool)) async throws {
        let (isChangedOnce, isTagged) = situation
        stage.service.remove(1)
        let app = stage.begin(try unstored(isTagged: isTagged), isDelivering: false)
        _ = try await app.notes.add(mine, .optimistic)
        stage.service.put(theirs)
        app.outbox.register(try #require(app.notes.destination))
        let both = Note(id: 1, title: "both", text: "first")
        var seen: [Note?] = []
        while seen.count < 9 {
            try await settledInTime()
            guard let conflict = try await app.notes.conflicts().first else { break }
            seen.append(conflict.theirs)
            if seen.count == 1, isChangedOnce { stage.service.put(newest) }
            try await app.notes.resolve(conflict, with: choice == "mine" ? .mine : .merged(both))
        }
        let expected = isChangedOnce ? [theirs, newest, newest] : [theirs, theirs]
        #expect(seen == (isTagged ? expected.dropLast() : expected))
        #expect(stage.service.models == [choice == "mine" ? mine : both])
        await app.end()
    }

    @Test func resolutionRefusedWithSameTagIsADeadLetter() async throws {
        let write = try #require(stage.service.source.write)
        let isBroken = Mutex(true)
        let broken = Snapshot<Note>(
            kept: nil,
            error: ReadFailure(.status, message: "scripted: 412", response: HTTPResponse(status: .init(code: 412))))
        let count = Mutex(0)
        let source = stage.service.source.writing { change, key in
            count.withLock { $0 += 1 }
            return isBroken.withLock(\.self) ? broken : await write(change, key)
        }
        let app = stage.begin(source, isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        _ = try await app.notes.edit(mine, .optimistic)
        stage.service.put(theirs)
        app.outbox.register(try #require(app.notes.destination))
        let seen = try await conflict(app)
        try await app.notes.resolve(seen, with: .mine)
        try await settledInTime()
        #expect(count.withLock(\.self) == 2)
        isBroken.withLock { $0 = false }
        try await app.notes.resolve(try await conflict(app), with: .mine)
        try await settledInTime()
        #expect(stage.service.models == [mine])
        await app.end()
    }

    /// The stored row has a tag, and the current version must not be stored. An edit with the old
    /// tag would be refused each time.
    @Test(arguments: ["mine", "merged"]) func resolutionReplacesUnstorableTheirsByItsTag(choice: String) async throws {
        let isStored = Mutex(true)
        let (stored, unstored) = (stage.service.source, try unstored(isTagged: true))
        let write = try #require(stored.write)
        let source = RemoteSource<Note>(get: { id, mode in
            isStored.withLock(\.self) ? await stored.get(id, mode) : await unstored.get(id, mode)
        }).writing { await write($0, $1) }
        let app = stage.begin(source, isDelivering: false)
        _ = await app.notes.snapshot(id: 1)
        _ = try await app.notes.edit(mine, .optimistic)
        isStored.withLock { $0 = false }
        stage.service.put(theirs)
        app.outbox.register(try #require(app.notes.destination))
        _ = try await conflict(app)
        try await forget()
        let seen = try await conflict(app)
        #expect(seen.theirs == theirs)
        let keys = stage.service.writes
        try await app.notes.resolve(seen, with: choice == "mine" ? .mine : .merged(mine))
        try await settledInTime()
        #expect(stage.service.models == [mine] && stage.service.writes == keys + 2)
        #expect(try await app.notes.conflicts().isEmpty)
        await app.end()
    }

    @Test(arguments: [true, false])
    func conflictedModelIsNotEvicted(isNextProcess: Bool) async throws {
        let first = try await app()
        _ = try await conflict(first)
        if isNextProcess { await first.end() }
        let app = isNextProcess ? stage.begin() : first
        #expect(try await app.notes.evict(EvictionLimits(count: 0)).models.isEmpty)
        try await app.notes.resolve(try await conflict(app), with: .theirs)
        #expect(try await app.notes.evict(EvictionLimits(count: 0)).models.count == 1)
        await app.end()
    }

    @Test func modelPendingSinceEarlierLaunchIsNotEvicted() async throws {
        let first = stage.begin(isDelivering: false)
        _ = await first.notes.snapshot(id: 1)
        _ = try await first.notes.edit(mine, .optimistic)
        await first.end()
        let next = stage.begin(isDelivering: false)
        #expect(try await next.notes.evict(EvictionLimits(count: 0)).models.isEmpty)
        await next.end()
    }

    @Test func mergedResolutionWithAnotherIDIsRefused() async throws {
        let app = try await app()
        let seen = try await conflict(app)
        do {
            try await app.notes.resolve(seen, with: .merged(Note(id: 2, title: "other")))
            Issue.record("expected that it is refused")
        } catch {
            #expect(error.code == .invalid && "\(error)".contains("found 2"))
        }
        #expect(try await app.notes.conflicts() == [seen])
        #expect(stage.service.models == [theirs])
        await app.end()
    }
}
