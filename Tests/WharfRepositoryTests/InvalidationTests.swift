import Testing
import WharfCore
import WharfRepository
import WharfStores
import WharfTesting

/// What is made stale before its time, and who hears of it.
@Suite(.timeLimit(.minutes(2)))
struct InvalidationTests {
    typealias Model = RepositoryLaws.Model

    enum Way: CaseIterable {
        case id, filter, tag, all
    }

    private let clock = TestClock()
    private let source: ScriptedSource<Model>
    private let repository: StoredRepository<Model>

    private static func models(_ name: String) -> [Model] { (1...3).map { Model(id: $0, name: "\(name) \($0)") } }

    init() async {
        source = ScriptedSource(.models(Self.models("old")), clock: clock.wall)
        let kind = EntityKind(
            "model", codec: .text, indexes: [Model.byName.index], timeToLive: .seconds(3_600),
            tags: { [$0.id % 2 == 0 ? "even" : "odd"] })
        repository = StoredRepository(kind, in: MemoryEntityStore(), remote: source.source, clock: clock.wall)
        _ = await repository.listSnapshot()
        source.answer(.models(Self.models("new")))
        clock.advance(by: .seconds(1))
    }

    private func invalidate(_ way: Way) async throws {
        switch way {
        case .id: try await repository.invalidate(id: 2)
        case .filter: try await repository.invalidate(where: Model.byName == "old 2")
        case .tag: try await repository.invalidate(tag: "even")
        case .all: try await repository.invalidateAll()
        }
    }

    @Test(arguments: Way.allCases)
    func whatIsInvalidIsFetchedAnewAndTheRestIsNot(_ way: Way) async throws {
        try await invalidate(way)
        #expect(await repository.snapshot(id: 1).value?.name == (way == .all ? "new 1" : "old 1"))
        #expect(await repository.snapshot(id: 2).value?.name == "new 2")
    }

    @Test(arguments: Way.allCases)
    func itStaysUntilSomethingNewerComes(_ way: Way) async throws {
        try await invalidate(way)
        source.answer(.failure(StoredRepositoryTests.unreachable))
        let snapshot = await repository.snapshot(id: 2)
        #expect(snapshot.value?.name == "old 2" && snapshot.error == StoredRepositoryTests.unreachable)
    }

    @Test(arguments: Way.allCases)
    func listsThatHaveItAreStaleToo(_ way: Way) async throws {
        try await invalidate(way)
        #expect(await repository.listSnapshot().value?.map(\.name) == ["new 1", "new 2", "new 3"])
    }

    @Test(arguments: Way.allCases)
    func observersThatAskTheNetworkGetTheNewValue(_ way: Way) async throws {
        var snapshots = repository.observe(id: 2, policy: .standard).makeAsyncIterator()
        #expect(await snapshots.next(isolation: nil)?.value?.name == "old 2")
        try await invalidate(way)
        var last = await snapshots.next(isolation: nil)
        while last?.fetch == .refreshing || last?.value?.name == "old 2" { last = await snapshots.next(isolation: nil) }
        #expect(last?.value?.name == "new 2")
    }

    @Test func listsCanBeInvalidAlone() async throws {
        try await repository.invalidateLists()
        let requests = source.requests
        _ = await repository.snapshot(id: 1)
        #expect(source.requests == requests)
        _ = await repository.listSnapshot()
        #expect(source.requests == requests + 1)
    }

    @Test func prefetchingAsksForWhatIsNotFreshOnce() async throws {
        try await repository.invalidate(id: 2)
        let requests = source.requests
        await repository.prefetch([1, 2, 3, 2])
        #expect(source.requests == requests + 1)
        #expect(await repository.snapshot(id: 2, policy: .cacheOnly).value?.name == "new 2")
    }
}
