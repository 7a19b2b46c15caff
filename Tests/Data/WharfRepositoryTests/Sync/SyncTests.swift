import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStorage
import WharfStores

struct SyncTests {
    typealias Note = WriteLaws.Note

    private let clock = TestClock()
    private let store = MemoryEntityStore()
    private let service: SyncService

    init() {
        service = SyncService((1...7).map { Note(id: $0, title: "note \($0)") }, clock: clock)
    }

    private func repository(_ store: (any EntityStore)? = nil) -> Repository<Note> {
        Repository(
            OutboxStage.notes.editingUnread(), in: store ?? self.store, remote: service.source,
            configuration: .init(clock: clock.wall))
    }

    private func stored(_ notes: Repository<Note>) async -> [Note] {
        await notes.storedListSnapshot(.init()).value?.sorted { $0.id < $1.id } ?? []
    }

    @Test func firstSyncBringsAllAndTheNextOnlyChanges() async throws {
        let notes = repository()
        let first = try await notes.sync()
        #expect(first == SyncResult(changedCount: 7, removedCount: 0, asOf: clock.wall.now()))
        #expect(await stored(notes) == service.notes)
        service.put(Note(id: 2, title: "changed"))
        service.put(Note(id: 8, title: "new"))
        service.remove(5)
        clock.advance(by: .seconds(60))
        let second = try await notes.sync()
        #expect((second.changedCount, second.removedCount) == (2, 1))
        #expect(await stored(notes) == service.notes)
        let third = try await notes.sync()
        #expect((third.changedCount, third.removedCount) == (0, 0))
        #expect(service.requests == [nil, "all/3/7", "all/6/7", "7", "10"])
    }

    @Test func syncUpdatesObserversAndTheAgeOfLists() async throws {
        let notes = repository()
        try await notes.sync()
        clock.advance(by: .seconds(3_600))
        var lists = notes.observeStoredList(.init()).makeAsyncIterator()
        var one = notes.observe(id: 2, policy: .cacheOnly).makeAsyncIterator()
        let before = await lists.next(isolation: nil)
        _ = await one.next(isolation: nil)
        #expect(before?.kept?.age(at: clock.wall.now()) == .seconds(3_600))
        service.put(Note(id: 2, title: "changed"))
        try await notes.sync()
        while let next = await lists.next(isolation: nil) {
            guard next.value?.contains(Note(id: 2, title: "changed")) == true else { continue }
            #expect(next.kept?.asOf == clock.wall.now())
            break
        }
        while let next = await one.next(isolation: nil), next.value?.title != "changed" {}
    }

    @Test func listHasTheAgeOfTheLastCompletedSync() async throws {
        let notes = repository()
        try await notes.sync()
        let synced = clock.wall.now()
        clock.advance(by: .seconds(60))
        for id in 1...4 { service.put(Note(id: id, title: "changed")) }
        service.fail(1)
        await #expect(throws: OutboxStage.unreachable) { try await notes.sync() }
        #expect(await notes.storedListSnapshot().kept?.asOf == synced)
        try await notes.sync()
        #expect(await notes.storedListSnapshot().kept?.asOf == clock.wall.now())
    }

    @Test func syncWithoutChangesRenewsTheAgeOfLists() async throws {
        let notes = repository()
        try await notes.sync()
        _ = await notes.storedListSnapshot()
        var lists = notes.observeStoredList().makeAsyncIterator()
        _ = await lists.next(isolation: nil)
        clock.advance(by: .seconds(60))
        try await notes.sync()
        #expect(await notes.storedListSnapshot().kept?.asOf == clock.wall.now())
        while let next = await lists.next(isolation: nil), next.kept?.asOf != clock.wall.now() {}
    }

    @Test func failedPageOfChangesKeepsTheToken() async throws {
        let notes = repository()
        try await notes.sync()
        let broken = Repository(
            OutboxStage.notes, in: store,
            remote: service.source.syncing { _ in
                let head = HTTPResponse(status: .notFound)
                return Snapshot(kept: nil, error: ReadFailure(.status, message: "moved", response: head))
            }, configuration: .init(clock: clock.wall))
        #expect(await readFailureCode { try await broken.sync() } == .status)
        try await notes.sync()
        #expect(service.requests.last == "7")
    }

    @Test func interruptedSyncResumesAtTheMissingPage() async throws {
        service.fail(1)
        let notes = repository()
        await #expect(throws: OutboxStage.unreachable) { try await notes.sync() }
        #expect(await stored(notes).count == 3)
        notes.close()
        // The process was killed, and another one opens the store.
        let next = repository()
        try await next.sync()
        #expect(await stored(next) == service.notes)
        #expect(service.requests == [nil, "all/3/7", "all/3/7", "all/6/7"])
    }

    @Test func expiredTokenSyncsAllAndRemovesDeletedModels() async throws {
        let notes = repository()
        try await notes.sync()
        service.remove(4)
        service.put(Note(id: 9, title: "new"))
        service.forget()
        let result = try await notes.sync()
        #expect(result.removedCount == 1)
        #expect(await stored(notes) == service.notes)
    }

    @Test func modelReadDuringASyncIsNotRemoved() async throws {
        service.fail(2)
        let notes = repository()
        await #expect(throws: OutboxStage.unreachable) { try await notes.sync() }
        // The id sorts before the next page, so the full sync would not see it.
        service.put(Note(id: 0, title: "before the first"))
        _ = try await notes.get(id: 0)
        try await notes.sync()
        #expect(await stored(notes) == service.notes)
    }

    @Test func editDuringASyncIsNotOverwrittenByItsPage() async throws {
        let gate = Gate()
        let changes = try #require(service.source.changes)
        let slow = service.source.syncing { token in
            let page = await changes(token)
            await gate.pass()
            return page
        }
        try await repository().sync()
        let notes = Repository(
            OutboxStage.notes.editingUnread(), in: store, remote: slow, configuration: .init(clock: clock.wall))
        service.put(Note(id: 1, title: "theirs"))
        async let synced = notes.sync()
        await gate.arrivals()
        _ = try await notes.edit(Note(id: 1, title: "mine"), .confirmed).delivery()
        gate.open()
        _ = try await synced
        #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value?.title == "mine")
        try await notes.sync()
        #expect(await stored(notes) == service.notes)
    }

    /// A page is requested again if one of its models changed after the request.
    @Test func pageOvertakenByAnEditIsRequestedAgain() async throws {
        let gate = Gate()
        let changes = try #require(service.source.changes)
        let isHeld = Mutex(true)
        let slow = service.source.syncing { token in
            let holds = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if holds { await gate.pass() }
            return await changes(token)
        }
        try await repository().sync()
        let notes = Repository(
            OutboxStage.notes.editingUnread(), in: store, remote: slow, configuration: .init(clock: clock.wall))
        async let synced = notes.sync()
        await gate.arrivals()
        _ = try await notes.edit(Note(id: 1, title: "mine"), .confirmed).delivery()
        service.put(Note(id: 1, title: "theirs, after mine"))
        gate.open()
        _ = try await synced
        #expect(await stored(notes) == service.notes)
    }

    @Test func removalOnTheLastPageOfAFullSyncIsApplied() async throws {
        let pages: [SyncPage<Note>] = [
            SyncPage(changed: [Note(id: 1, title: "one"), Note(id: 2, title: "two")], nextToken: "a", hasMore: true),
            SyncPage(changed: [Note(id: 3, title: "three")], removed: [2], nextToken: "b"),
        ]
        let notes = Repository(
            OutboxStage.notes, in: store,
            remote: service.source.syncing(clock: clock.wall) { token in token == nil ? pages[0] : pages[1] },
            configuration: .init(clock: clock.wall))
        try await notes.sync()
        #expect(await stored(notes).map(\.id) == [1, 3])
    }

    @Test func modelOfARequestBeforeTheSyncIsRemoved() async throws {
        let gate = Gate()
        let reading = RemoteSource<Note>(get: { [service] id, mode in
            let answer = await service.source.get(id, mode)
            if mode != .storedOnly { await gate.pass() }
            return answer
        }).syncing(try #require(service.source.changes))
        let notes = Repository(OutboxStage.notes, in: store, remote: reading, configuration: .init(clock: clock.wall))
        service.put(Note(id: 0, title: "soon gone"))
        async let read = notes.get(id: 0)
        await gate.arrivals()
        service.remove(0)
        service.fail(1)
        // The first page advances the store. Then the answer to the earlier read arrives.
        await #expect(throws: OutboxStage.unreachable) { try await notes.sync() }
        gate.open()
        _ = try await read
        try await notes.sync()
        #expect(await stored(notes) == service.notes)
    }

    @Test func aCancelledSyncIsNoFailureOfTheStore() async throws {
        let incidents = IncidentLog()
        var configuration = RepositoryConfiguration(clock: clock.wall)
        configuration.onIncident = incidents.handler
        let notes = Repository(OutboxStage.notes, in: store, remote: service.source, configuration: configuration)
        let sync = Task {
            while !Task.isCancelled { await Task.yield() }
            return await readFailureCode { try await notes.sync() }
        }
        sync.cancel()
        #expect(await sync.value == .cancelled)
        #expect(incidents.all.isEmpty)
    }

    @Test func aPageThatAnotherProcessHasOvertakenIsDropped() async throws {
        let gate = Gate()
        let changes = try #require(service.source.changes)
        let slow = service.source.syncing { token in
            let page = await changes(token)
            await gate.pass()
            return page
        }
        let notes = Repository(OutboxStage.notes, in: store, remote: slow, configuration: .init(clock: clock.wall))
        async let synced = notes.sync()
        await gate.arrivals()
        try await repository().sync()
        gate.open()
        #expect(try await synced.changedCount == 0)
        #expect(service.requests == [nil, nil, "all/3/7", "all/6/7", "7"])
        #expect(await stored(notes) == service.notes)
    }

    @Test func impossibleSyncFailsWithItsReason() async throws {
        let unsynced = Repository(
            OutboxStage.notes, in: store, remote: RemoteSource<Note>(get: { _, _ in .init(kept: nil) }))
        let failure = try await #require(throws: ReadFailure.self) { try await unsynced.sync() }
        #expect(failure.code == .unsupported && failure.message.contains("`syncing`"))
        let storeless = Repository(source: service.source)
        #expect(await readFailureCode { try await storeless.sync() } == .unsupported)
        let endless = Repository(
            OutboxStage.notes, in: store,
            remote: service.source.syncing { _ in SyncPage(changed: [], nextToken: "1", hasMore: true) })
        #expect(await readFailureCode { try await endless.sync() } == .endlessPages)
        let unstorable = Repository(
            OutboxStage.notes, in: MemoryEntityStore(),
            remote: service.source.syncing { _ in
                let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "no-store"])
                return Snapshot(
                    kept: .init(
                        value: SyncPage(changed: [], nextToken: "1"), source: .network, asOf: WallTime(nanoseconds: 0),
                        response: head))
            })
        #expect(await readFailureCode { try await unstorable.sync() } == .unsupported)
        storeless.close()
        #expect(await readFailureCode { try await storeless.sync() } == .closed)
    }

    private func readFailureCode(_ body: () async throws -> Void) async -> ReadFailure.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? ReadFailure)?.code
        }
    }

    private enum Move: CaseIterable {
        case put, remove, read, edit, delete, sync, failedSync, forget, restart, otherProcess
    }

    /// After every sequence of events, a successful sync leaves the store equal to the service.
    @Test func storeEqualsTheServiceAfterASync() async throws {
        let move = Generator.zip(.element(of: Move.allCases), .int(in: 0...12), .int(in: 0...3))
        try await forAll(.array(of: move, count: 0...40), runs: 150) { moves in
            let clock = TestClock()
            let service = SyncService(clock: clock, pageSize: 2)
            let store = MemoryEntityStore()
            func begin() -> Repository<Note> {
                Repository(
                    OutboxStage.notes.editingUnread(), in: store, remote: service.source,
                    configuration: .init(clock: clock.wall))
            }
            var notes = begin()
            let other = begin()
            for (index, (move, id, failure)) in moves.enumerated() {
                clock.advance(by: .milliseconds(failure))
                let note = Note(id: id, title: "move \(index)")
                switch move {
                case .put: service.put(note)
                case .remove: service.remove(id)
                case .read: _ = await notes.snapshot(id: id, policy: .networkOnly)
                case .edit: _ = try? await notes.edit(note, .optimistic).delivery()
                case .delete: _ = try? await notes.delete(id: id, .optimistic).delivery()
                case .sync: _ = try? await notes.sync()
                case .failedSync:
                    service.fail(failure)
                    _ = try? await notes.sync()
                case .forget: service.forget()
                case .restart: notes = begin()
                case .otherProcess:
                    async let one: SyncResult? = try? notes.sync()
                    async let two: SyncResult? = try? other.sync()
                    _ = await (one, two)
                }
            }
            for _ in 0..<4 { _ = try? await notes.sync() }
            let found = await notes.storedListSnapshot(.init()).value?.sorted { $0.id < $1.id } ?? []
            try require(found == service.notes, "expected \(service.notes), found \(found)")
        }
    }
}
