import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// Queries over the store while the service does not answer.
struct StoredQueryTests {
    typealias Note = WriteLaws.Note

    private static let title = Field<Note, String>("title") { $0.title }
    private static let kind = EntityKind("note", codec: Note.codec, indexes: [title.index])
    private static let milk = EntityQuery<Note>().filter(title.hasWords("milk"))

    private let stage = OutboxStage([
        Note(id: 1, title: "Milk"), Note(id: 2, title: "Bread"), Note(id: 3, title: "milk tea"),
    ])

    /// An app that has read all notes, and whose service is unreachable.
    private func offline() async -> OutboxStage.Process {
        let app = stage.begin(kind: Self.kind)
        _ = await app.notes.listSnapshot()
        stage.service.failWrites(OutboxStage.unreachable)
        return app
    }

    @Test func searchFindsStoredModelsOnly() async {
        let app = await offline()
        stage.service.put(Note(id: 2, title: "Milk that was not read yet"))
        let found = await app.notes.storedListSnapshot(Self.milk)
        #expect(found.value?.map(\.id) == [1, 3])
        #expect(found.kept?.source == .store)
        #expect(found.kept?.isPending == false)
        await app.end()
    }

    @Test func pendingChangesAreInTheAnswer() async throws {
        let app = await offline()
        _ = try await app.notes.edit(Note(id: 1, title: "Sugar"), .optimistic)
        _ = try await app.notes.edit(Note(id: 2, title: "Milk bread"), .optimistic)
        _ = try await app.notes.delete(id: 3, .optimistic)
        _ = try await app.notes.add(Note(id: 4, title: "A milk shake"), .optimistic)
        let found = await app.notes.storedListSnapshot(Self.milk.sorted(by: Self.title))
        #expect(found.value?.map(\.title) == ["A milk shake", "Milk bread"])
        #expect(found.kept?.isPending == true)
        let first = await app.notes.storedListSnapshot(Self.milk.sorted(by: Self.title, descending: true).limit(1))
        #expect(first.value?.map(\.id) == [2])
        await app.end()
    }

    @Test func eachChangeNotifiesTheObservers() async throws {
        let app = await offline()
        var found = app.notes.observeStoredList(Self.milk).makeAsyncIterator()
        try await wait(&found, for: [1, 3])
        _ = try await app.notes.edit(Note(id: 2, title: "Milk bread"), .optimistic)
        try await wait(&found, for: [1, 2, 3])
        await app.notes.receive(Note(id: 5, title: "Milk rice"))
        try await wait(&found, for: [1, 2, 3, 5])
        _ = try await app.notes.delete(id: 3, .optimistic)
        try await wait(&found, for: [1, 2, 5])
        await app.end()
    }

    @Test func aParameterIsAnsweredByItsFilter() async {
        let app = await offline()
        let query = EntityQuery<Note>().parameter("q", "milk", matching: Self.title.hasWords("milk"))
        #expect(await app.notes.storedListSnapshot(query).value?.map(\.id) == [1, 3])
        let failed = await app.notes.storedListSnapshot(query.parameter("page", 2))
        #expect(failed.error?.code == .unsupported)
        #expect(failed.error?.message.contains("the parameter page") == true)
        await app.end()
    }

    @Test func anAdditionIsInTheListWhoseParameterMatchesIt() async throws {
        let app = stage.begin(kind: Self.kind)
        let matching = EntityQuery<Note>().parameter("q", "milk", matching: Self.title.hasWords("milk"))
        let other = EntityQuery<Note>().parameter("q", "milk")
        for query in [matching, other] { _ = await app.notes.listSnapshot(query) }
        stage.service.failWrites(OutboxStage.unreachable)
        _ = try await app.notes.add(Note(id: 4, title: "A milk shake"), .optimistic)
        _ = try await app.notes.add(Note(id: 5, title: "Bread"), .optimistic)
        let shown = await app.notes.listSnapshot(matching, policy: .cacheOnly).value?.map(\.id) ?? []
        #expect(shown.contains(4) && !shown.contains(5))
        let unknown = await app.notes.listSnapshot(other, policy: .cacheOnly).value?.map(\.id) ?? []
        #expect(!unknown.contains(4) && !unknown.contains(5))
        await app.end()
    }

    /// Waits for a snapshot with these ids. The suite's time limit ends a wait that never succeeds.
    private func wait(_ snapshots: inout SnapshotSequence<[Note]>.AsyncIterator, for ids: [Int]) async throws {
        while true {
            let next = try #require(await snapshots.next(isolation: nil))
            if next.value?.map(\.id) == ids { return }
        }
    }

    @Test func storedListWithoutAStoreIsUnsupported() async {
        let notes = Repository(source: stage.service.source)
        let found = await notes.storedListSnapshot(Self.milk)
        #expect(found.error?.code == .unsupported)
        notes.close()
        #expect(await notes.storedListSnapshot(Self.milk).error?.code == .closed)
    }
}
