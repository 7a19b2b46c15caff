import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// The behaviour of a repository while the system reports that there is no network.
struct OfflineTests {
    typealias Model = RepositoryLaws.Model

    static let kept = Model(id: 1, name: "kept")
    static let newer = Model(id: 1, name: "newer")

    /// A repository of each kind, with one stale value and one key without a value.
    struct Stage: Sendable {
        let clock = TestClock()
        let connectivity = TestConnectivity()
        let source: ScriptedSource<Model>
        let repository: any ReadableRepository<Model>

        init(isStored: Bool) async {
            source = ScriptedSource(.models([OfflineTests.kept]), clock: clock.wall)
            repository =
                isStored
                ? Repository(
                    .models, in: MemoryEntityStore(), remote: source.source,
                    configuration: .init(connectivity: connectivity, clock: clock.wall))
                : Repository(source: source.source, configuration: .init(connectivity: connectivity, clock: clock.wall))
            _ = await repository.snapshot(id: 1, policy: .networkFirst)
            clock.advance(by: .seconds(3_600))
            source.answer(.models([OfflineTests.newer]))
            connectivity.turn(online: false)
        }
    }

    @Test(arguments: [true, false], ReadPolicy.all)
    func offlineReadAnswersWithoutARequest(isStored: Bool, policy: ReadPolicy) async {
        let stage = await Stage(isStored: isStored)
        let requests = stage.source.requests
        let snapshot = await stage.repository.snapshot(id: 1, policy: policy)
        #expect(snapshot.value == (policy == .networkOnly ? nil : Self.kept))
        let isSilent = policy == .cacheOnly || policy == .cacheFirst
        #expect(snapshot.error?.code == (isSilent ? nil : .offline))
        #expect(stage.source.requests == requests)
    }

    @Test(arguments: [true, false])
    func freshValueIsServedOfflineWithoutError(isStored: Bool) async {
        let stage = await Stage(isStored: isStored)
        stage.connectivity.turn(online: true)
        _ = await stage.repository.snapshot(id: 1, policy: .networkFirst)
        stage.connectivity.turn(online: false)
        let snapshot = await stage.repository.snapshot(id: 1, policy: .standard)
        #expect(snapshot.value == Self.newer && snapshot.error == nil)
    }

    @Test(arguments: [true, false], [.standard, .networkFirst, .cacheThenNetwork] as [ReadPolicy])
    func observationPausesUntilTheNetworkReturns(isStored: Bool, policy: ReadPolicy) async throws {
        let stage = await Stage(isStored: isStored)
        var snapshots = stage.repository.observe(id: 1, policy: policy).makeAsyncIterator()
        let paused = try #require(await snapshots.next(isolation: nil))
        #expect(paused.fetch == .paused)
        #expect(paused.value == Self.kept)
        #expect(paused.error?.code == .offline)
        stage.connectivity.turn(online: true)
        var next = try #require(await snapshots.next(isolation: nil))
        while next.fetch == .refreshing { next = try #require(await snapshots.next(isolation: nil)) }
        #expect(next.value == Self.newer && next.error == nil && next.fetch == .idle)
    }

    @Test(arguments: [true, false])
    func anObserverThatWantsNoNetworkIsNotPaused(isStored: Bool) async throws {
        let stage = await Stage(isStored: isStored)
        var snapshots = stage.repository.observe(id: 1, policy: .cacheOnly).makeAsyncIterator()
        let first = try #require(await snapshots.next(isolation: nil))
        #expect(first.fetch == .idle && first.value == Self.kept && first.error == nil)
    }

    @Test(arguments: [true, false])
    func anObserverWithoutAnyValueGetsOneWhenTheNetworkIsBack(isStored: Bool) async throws {
        let stage = await Stage(isStored: isStored)
        let other = Model(id: 2, name: "other")
        stage.source.answer(.models([Self.newer, other]))
        var snapshots = stage.repository.observe(id: 2, policy: .cacheFirst).makeAsyncIterator()
        let paused = try #require(await snapshots.next(isolation: nil))
        #expect(paused.fetch == .paused && paused.value == nil)
        stage.connectivity.turn(online: true)
        var next = try #require(await snapshots.next(isolation: nil))
        while next.fetch == .refreshing { next = try #require(await snapshots.next(isolation: nil)) }
        #expect(next.value == other && next.error == nil && next.fetch == .idle)
    }
}
