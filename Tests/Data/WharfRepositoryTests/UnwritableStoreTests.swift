import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStorage

/// A store that can be read but not written: answers of the network are in memory alone.
struct UnwritableStoreTests {
    typealias Model = RepositoryLaws.Model

    private let clock = TestClock()
    private let store = FaultyEntityStore()
    private let incidents = IncidentLog()
    private let source: ScriptedSource<Model>
    private let repository: Repository<Model>

    init() {
        source = ScriptedSource(.models([Model(id: 1, name: "new")]), clock: clock.wall)
        var configuration = RepositoryConfiguration(clock: clock.wall)
        configuration.onIncident = incidents.handler
        repository = Repository(.models, in: store, remote: source.source, configuration: configuration)
    }

    @Test(arguments: [nil, "old"])
    func unwrittenModelStaysInMemory(_ stored: String?) async throws {
        if let stored {
            let row = try EntityKind.models.row(
                Model(id: 1, name: stored), of: nil, asOf: clock.wall.now() - .seconds(10), staleAt: nil)
            try await store.commit([.put(row)])
        }
        store.isFull = true
        #expect(await repository.snapshot(id: 1).value?.name == "new")
        #expect(incidents.codes == [.storeFailed])
        source.answer(.failure(StoredRepositoryTests.unreachable))
        clock.advance(by: .seconds(3_600))
        // A store lookup finds no newer value, and removes none.
        let snapshot = await repository.snapshot(id: 1)
        #expect(snapshot.value?.name == "new" && snapshot.error == StoredRepositoryTests.unreachable)
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value?.name == "new")
    }

    @Test func aStoreThatCannotBeReadIsNotTakenForEmpty() async throws {
        #expect(await repository.snapshot(id: 1).value?.name == "new")
        // An observed value stays in memory.
        var snapshots = repository.observe(id: 1, policy: .cacheOnly).makeAsyncIterator()
        _ = await snapshots.next(isolation: nil)
        store.isUnreadable = true
        let row = try EntityKind.models.row(
            Model(id: 1, name: "another's"), of: nil, asOf: clock.wall.now(), staleAt: nil)
        try await store.commit([.put(row)])
        let snapshot = await repository.snapshot(id: 1, policy: .cacheOnly)
        #expect(snapshot.value?.name == "new" && snapshot.error?.code == .storeFailed)
        store.isUnreadable = false
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value?.name == "another's")
    }

    @Test func unwrittenModelIsReportedToObservers() async throws {
        store.isFull = true
        var snapshots = repository.observe(id: 1).makeAsyncIterator()
        var next = try #require(await snapshots.next(isolation: nil))
        while next.fetch == .refreshing { next = try #require(await snapshots.next(isolation: nil)) }
        #expect(next.value?.name == "new" && next.error == nil)
    }

    @Test func aListThatCouldNotBeWrittenStaysInMemory() async {
        store.isFull = true
        #expect(await repository.listSnapshot().value?.map(\.name) == ["new"])
        source.answer(.failure(StoredRepositoryTests.unreachable))
        clock.advance(by: .seconds(3_600))
        for policy in [.networkFirst, .standard, .cacheOnly] as [ReadPolicy] {
            #expect(await repository.listSnapshot(policy: policy).value?.map(\.name) == ["new"])
        }
    }

    @Test func unwrittenInvalidationThrows() async {
        _ = await repository.snapshot(id: 1)
        store.isFull = true
        await #expect(throws: StoreError.self) { try await repository.invalidate(id: 1) }
        await #expect(throws: StoreError.self) { try await repository.invalidateAll() }
    }
}
