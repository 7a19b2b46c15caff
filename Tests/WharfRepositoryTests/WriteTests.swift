import Testing
import WharfCore
import WharfRepository
import WharfStores
import WharfTesting

/// What a stored repository adds to the laws of every repository that writes.
@Suite(.timeLimit(.minutes(2)))
struct WriteTests {
    typealias Note = WriteLaws.Note

    private let clock = TestClock()
    private let store = FaultyEntityStore()
    private let incidents = Incidents()
    private let service: ScriptedService<Note>
    private let notes: StoredRepository<Note>

    init() {
        service = ScriptedService([Note(id: 1, title: "one")], clock: clock.wall)
        notes = StoredRepository(
            EntityKind("note", codec: Note.codec), in: store, remote: service.source, clock: clock.wall,
            onIncident: incidents.handler)
    }

    private func code(_ write: () async throws -> WriteReceipt<Note>) async -> WriteFailure.Code? {
        do {
            _ = try await write()
            return nil
        } catch {
            return (error as? WriteFailure)?.code
        }
    }

    @Test func aSourceForReadingTakesNoChange() async {
        let reading = RemoteSource<Note> { id, _ in Snapshot(kept: nil, error: nil) }
        let notes = StoredRepository(EntityKind("note", codec: Note.codec), in: store, remote: reading)
        #expect(await code { try await notes.edit(Note(id: 1, title: "x"), .optimistic) } == .unsupported)
        let local = StoredRepository(EntityKind("note", codec: Note.codec), in: store)
        #expect(await code { try await local.delete(id: 1) } == .unsupported)
    }

    @Test func whatCanNotBeEncodedIsNotSent() async {
        struct Odd: Error {}
        let kind = EntityKind(
            "note",
            codec: Codec<Note> { _ in
                throw Odd()
            } decode: { _, _ in
                throw Odd()
            })
        let notes = StoredRepository(kind, in: store, remote: service.source)
        #expect(await code { try await notes.add(Note(id: 2, title: "x")) } == .unencodable)
        #expect(service.writes == 0)
    }

    @Test func aClosedRepositoryTakesNoChange() async {
        notes.close()
        #expect(await code { try await notes.edit(Note(id: 1, title: "x")) } == .closed)
        #expect(service.writes == 0)
    }

    @Test func aStoreThatFailsKeepsNoChangeFromItsService() async throws {
        _ = await notes.snapshot(id: 1)
        store.isFull = true
        let edited = Note(id: 1, title: "edited")
        #expect(try await notes.edit(edited, .optimistic).delivery() == .delivered(edited))
        #expect(service.models == [edited])
        #expect(incidents.codes == [.storeFailed])
    }

    @Test func whatSomebodyElseChangedWhileItWaitedIsInConflict() async throws {
        _ = await notes.snapshot(id: 1)
        let gate = Gate()
        service.holdWrites(at: gate)
        let notes = notes
        let first = Task.immediate { try await notes.edit(Note(id: 1, title: "first")).delivery() }
        await gate.arrivals(1)
        let second = Task.immediate { try await notes.edit(Note(id: 1, title: "second")).delivery() }
        service.put(Note(id: 1, title: "theirs"))
        gate.open()
        for outcome in [try await first.value, try await second.value] {
            guard case .conflict(let theirs) = outcome else { return #expect(Bool(false), "found \(outcome)") }
            #expect(theirs.value?.title == "theirs")
        }
        #expect(service.models.map(\.title) == ["theirs"])
    }

    @Test func aListKeepsTheEntityTagsOfWhatHasNotChanged() async throws {
        _ = await notes.snapshot(id: 1)
        _ = await notes.listSnapshot(policy: .networkFirst)
        service.put(Note(id: 1, title: "theirs"))
        guard case .conflict = try await notes.edit(Note(id: 1, title: "mine")).delivery() else {
            return #expect(Bool(false), "expected a conflict")
        }
        // What a list has brought since has no tag: it can't be told from what the service has.
        service.put(Note(id: 1, title: "newer"))
        _ = await notes.listSnapshot(policy: .networkFirst)
        #expect(try await notes.edit(Note(id: 1, title: "mine")).delivery() == .delivered(Note(id: 1, title: "mine")))
    }

    @Test func anAdditionStandsInAListWhereItsQueryWouldHaveIt() async throws {
        let byTitle = Field<Note, String>("title") { $0.title }
        let kind = EntityKind("sorted", codec: Note.codec, indexes: [byTitle.index])
        let sorted = StoredRepository(kind, in: store, remote: service.source, clock: clock.wall)
        service.put(Note(id: 2, title: "three"))
        let query = EntityQuery<Note>().sorted(by: byTitle)
        let other = EntityQuery<Note>().filter(byTitle == "one")
        _ = await sorted.listSnapshot(query, policy: .networkFirst)
        _ = await sorted.listSnapshot(other, policy: .networkFirst)
        let gate = Gate()
        service.holdWrites(at: gate)
        let added = Task { try await sorted.add(Note(id: 3, title: "seven"), .optimistic) }
        await gate.arrivals(1)
        #expect(await sorted.listSnapshot(query, policy: .cacheOnly).value?.map(\.title) == ["one", "seven", "three"])
        let others = await sorted.listSnapshot(other, policy: .cacheOnly)
        #expect(others.value?.contains { $0.title == "seven" } == false && others.kept?.isPending == false)
        gate.open()
        _ = try await added.value
    }
}
