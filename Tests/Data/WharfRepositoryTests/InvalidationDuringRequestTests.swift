import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStores

@testable import WharfRepository

/// An invalidation while a request that began before it is open.
struct InvalidationDuringRequestTests {
    typealias Note = WriteLaws.Note

    private let clock = TestClock()
    private let service: ScriptedOrigin<Note>
    private let old = Note(id: 1, title: "old")
    private let new = Note(id: 1, title: "new")

    init() { service = ScriptedOrigin([old], clock: clock.wall) }

    private func repository(isStored: Bool) -> Repository<Note> {
        isStored
            ? Repository(
                EntityKind("note", codec: Note.codec), in: MemoryEntityStore(), remote: service.source,
                configuration: .init(clock: clock.wall))
            : Repository(source: service.source, configuration: .init(clock: clock.wall))
    }

    @Test(arguments: [true, false]) func modelInvalidatedDuringRequestIsFetchedAgain(isStored: Bool) async throws {
        let (notes, gate) = (repository(isStored: isStored), Gate())
        service.holdReads(at: gate)
        var snapshots = notes.observe(id: 1).makeAsyncIterator()
        await gate.arrivals(1)
        service.holdReads(at: nil)
        service.put(new)
        // The request of the invalidation is answered while the earlier one is still held.
        try await notes.invalidate(id: 1)
        gate.open()
        while let snapshot = await snapshots.next(isolation: nil), snapshot.value != new {}
        await waitUntil { notes.models.cache.withLock { $0.entries.values.allSatisfy { $0.openRequests == 0 } } }
        #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value == new)
    }

    @Test(arguments: [true, false]) func listInvalidatedDuringRequestIsFetchedAgain(isStored: Bool) async throws {
        let (notes, gate) = (repository(isStored: isStored), Gate())
        service.holdReads(at: gate)
        var snapshots = notes.observeList().makeAsyncIterator()
        await gate.arrivals(1)
        service.holdReads(at: nil)
        service.put(new)
        try await notes.invalidateLists()
        gate.open()
        while let snapshot = await snapshots.next(isolation: nil), snapshot.value != [new] {}
        await waitUntil { notes.lists.cache.withLock { $0.entries.values.allSatisfy { $0.openRequests == 0 } } }
        #expect(await notes.listSnapshot(policy: .cacheOnly).value == [new])
    }

    @Test func additionsDuringARefreshShareTheNextOne() async throws {
        let requests = Mutex(0)
        let gate = Gate()
        let list = try #require(service.source.list)
        let write = try #require(service.source.write)
        let source = RemoteSource(get: service.source.get) { query, mode in
            if mode != .storedOnly { requests.withLock { $0 += 1 } }
            return await list(query, mode)
        }
        let notes = Repository(
            EntityKind("note", codec: Note.codec), in: MemoryEntityStore(), remote: source.writing(write),
            configuration: .init(clock: clock.wall))
        var snapshots = notes.observeList().makeAsyncIterator()
        while let snapshot = await snapshots.next(isolation: nil), snapshot.fetch != .idle {}
        service.holdReads(at: gate)
        for id in 2...9 { _ = try await notes.add(Note(id: id, title: "added")) }
        await gate.arrivals(1)
        service.holdReads(at: nil)
        gate.open()
        while let snapshot = await snapshots.next(isolation: nil), snapshot.value?.count != 9 || snapshot.fetch != .idle
        {}
        await waitUntil { !notes.lists.runs.isRunning }
        #expect(requests.withLock { $0 } == 3)
    }
}
