import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository

/// Invalidation of values that the source's own cache considers fresh.
struct InvalidationWithoutStoreTests {
    typealias Model = RepositoryLaws.Model

    private let clock = TestClock()
    private let source: ScriptedSource<Model>
    private let repository: Repository<Model>

    private static func models(_ name: String) -> [Model] { (1...2).map { Model(id: $0, name: "\(name) \($0)") } }

    init() async {
        source = ScriptedSource(.models(Self.models("new")), clock: clock.wall)
        source.keep(
            Self.models("old"), asOf: clock.wall.now(), staleAt: clock.wall.now() + .seconds(3_600))
        repository = Repository(source: source.source, configuration: .init(clock: clock.wall))
        for id in 1...2 { _ = await repository.snapshot(id: id) }
        _ = await repository.listSnapshot()
        clock.advance(by: .seconds(1))
    }

    @Test func staleModelIsReadAnew() async throws {
        try await repository.invalidate(id: 2)
        #expect(await repository.snapshot(id: 1).value?.name == "old 1")
        #expect(await repository.snapshot(id: 2).value?.name == "new 2")
    }

    @Test func observerOfAStaleModelGetsTheNewOne() async throws {
        try await repository.invalidate(id: 2)
        for await snapshot in repository.observe(id: 2, policy: .standard) where snapshot.fetch == .idle {
            #expect(snapshot.value?.name == "new 2")
            break
        }
    }

    @Test func staleModelStaysWhileTheNetworkIsGone() async throws {
        try await repository.invalidate(id: 2)
        source.answer(.failure(StoredRepositoryTests.unreachable))
        let snapshot = await repository.snapshot(id: 2)
        #expect(snapshot.value?.name == "old 2")
        #expect(snapshot.error?.code == .connectionFailed)
    }

    @Test func tagInvalidatesAllModelsWithoutAKind() async throws {
        try await repository.invalidate(tag: "even")
        #expect(await repository.snapshot(id: 1).value?.name == "new 1")
        #expect(await repository.listSnapshot().value == Self.models("new"))
    }

    @Test func staleListsLeaveModelsFresh() async throws {
        try await repository.invalidateLists()
        #expect(await repository.snapshot(id: 1).value?.name == "old 1")
        #expect(await repository.listSnapshot().value == Self.models("new"))
    }
}
