import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// Endpoints with a single model, such as `/me`.
@Suite struct SingletonTests {
    typealias Model = RepositoryLaws.Model

    private let clock = TestClock()
    private let source: ScriptedSource<Model>
    private static let me = Model(id: 7, name: "me")

    init() {
        source = ScriptedSource(.models([Self.me]), clock: clock.wall)
    }

    private var remote: RemoteSource<Singleton<Model>> {
        let get = source.source.get
        return .singleton { mode in await get(7, mode) }
    }

    @Test func singletonIsReadWithoutAnIDAndStored() async throws {
        let store = MemoryEntityStore()
        let kind = EntityKind("me", codec: Codec<Model>.text.singleton)
        let first = SingletonRepository(
            Repository(kind, in: store, remote: remote, configuration: .init(clock: clock.wall)))
        #expect(try await first.get() == Self.me)
        source.answer(.failure(StoredRepositoryTests.unreachable))
        clock.advance(by: .seconds(3_600))
        let next = SingletonRepository(
            Repository(kind, in: store, remote: remote, configuration: .init(clock: clock.wall)))
        let snapshot = await next.snapshot()
        #expect(snapshot.value == Self.me && snapshot.kept?.source == .store)
        #expect(snapshot.error == StoredRepositoryTests.unreachable)
    }

    @Test func singletonIsObserved() async throws {
        let repository = Repository(source: remote, configuration: .init(clock: clock.wall))
        let me = SingletonRepository(repository)
        var snapshots = me.observe(policy: .networkFirst).makeAsyncIterator()
        var seen = await snapshots.next(isolation: nil)
        while seen?.fetch == .refreshing { seen = await snapshots.next(isolation: nil) }
        #expect(seen?.value == Self.me)
        await repository.receive(Singleton(Model(id: 7, name: "renamed")), asOf: clock.wall.now() + .seconds(1))
        #expect(await snapshots.next(isolation: nil)?.value?.name == "renamed")
    }

    @Test func aCompletionGetsValueAndErrorTogether() async {
        let me = SingletonRepository(Repository(source: remote, configuration: .init(clock: clock.wall)))
        let snapshot = await withCheckedContinuation { continuation in
            me.snapshot { continuation.resume(returning: $0) }
        }
        #expect(snapshot.value == Self.me)
    }
}
