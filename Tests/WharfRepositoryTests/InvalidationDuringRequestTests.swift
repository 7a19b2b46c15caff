import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// An invalidation while a request is under way that began before it.
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
                clock: clock.wall)
            : Repository(source: service.source, clock: clock.wall)
    }

    @Test(arguments: [true, false]) func theModelIsAskedForOnceMore(isStored: Bool) async throws {
        let (notes, gate) = (repository(isStored: isStored), Gate())
        service.holdReads(at: gate)
        var snapshots = notes.observe(id: 1).makeAsyncIterator()
        await gate.arrivals(1)
        service.holdReads(at: nil)
        service.put(new)
        // Its own request is answered while the one before is still held.
        try await notes.invalidate(id: 1)
        gate.open()
        while let snapshot = await snapshots.next(isolation: nil), snapshot.value != new {}
        #expect(await notes.snapshot(id: 1, policy: .cacheOnly).value == new)
    }

    @Test(arguments: [true, false]) func theListIsAskedForOnceMore(isStored: Bool) async throws {
        let (notes, gate) = (repository(isStored: isStored), Gate())
        service.holdReads(at: gate)
        var snapshots = notes.observeList().makeAsyncIterator()
        await gate.arrivals(1)
        service.holdReads(at: nil)
        service.put(new)
        try await notes.invalidateLists()
        gate.open()
        while let snapshot = await snapshots.next(isolation: nil), snapshot.value != [new] {}
        #expect(await notes.listSnapshot(policy: .cacheOnly).value == [new])
    }
}
