import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfRepository

/// The rows that an eviction removes when the store is too large, and the rows that it never
/// removes.
struct EvictionTests {
    typealias Model = RepositoryLaws.Model

    private let clock = TestClock()
    private let store = FaultyEntityStore()
    private let source: ScriptedSource<Model>
    private let repository: Repository<Model>

    /// Five models, each confirmed by the service a second after the one before: 1 is the oldest.
    init() async {
        source = ScriptedSource(.models((1...5).map { Model(id: $0, name: "\($0)") }), clock: clock.wall)
        repository = Repository(.models, in: store, remote: source.source, configuration: .init(clock: clock.wall))
        for id in 1...5 {
            clock.advance(by: .seconds(1))
            _ = await repository.snapshot(id: id)
        }
    }

    private func ids() async throws -> [Int] {
        try await store.rows(RowQuery(), of: nil, kind: "model").compactMap { Int($0.key.id) }
    }

    private func key(_ id: Int) -> EntityKey { EntityKind.models.key(id, of: nil) }

    @Test func modelsValidatedLongestAgoAreEvictedFirst() async throws {
        let evicted = try await repository.evict(EvictionLimits(count: 3))
        #expect(evicted == EvictionResult(models: [key(1), key(2)], lists: [], bytes: 6))
        #expect(try await ids() == [3, 4, 5])
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).error?.code == .nothingKept)
        #expect(await repository.snapshot(id: 3, policy: .cacheOnly).value?.name == "3")
    }

    @Test func revalidatedModelIsEvictedLast() async throws {
        clock.advance(by: .seconds(1))
        _ = await repository.snapshot(id: 1, policy: .networkFirst)
        try await repository.evict(EvictionLimits(count: 2))
        #expect(try await ids() == [1, 5])
    }

    @Test func onlyModelsOlderThanTheAgeLimitAreEvicted() async throws {
        try await repository.evict(EvictionLimits(age: .seconds(2)))
        #expect(try await ids() == [3, 4, 5])
    }

    @Test func byteLimitCountsEncodedModels() async throws {
        // Each encoded model has three bytes, such as "1:1".
        try await repository.evict(EvictionLimits(bytes: 10))
        #expect(try await ids() == [3, 4, 5])
    }

    @Test(arguments: [EvictionLimits(), EvictionLimits(age: .seconds(4), count: 5, bytes: 15)])
    func nothingIsEvictedWithinTheLimits(_ limits: EvictionLimits) async throws {
        #expect(try await repository.evict(limits) == EvictionResult(models: [], lists: [], bytes: 0))
        #expect(try await ids().count == 5)
    }

    @Test func evictionLeavesOtherAccountsAndKinds() async throws {
        let others = [EntityKey(account: Account("ann"), kind: "model", id: "1"), EntityKey(kind: "other", id: "1")]
        try await store.commit(others.map { .put(EntityRow(key: $0, bytes: [1], asOf: .distantPast)) })
        try await repository.evict(EvictionLimits(age: .zero, count: 0, bytes: 0))
        #expect(try await ids() == [])
        for other in others { #expect(try await store.row(other) != nil) }
    }

    // MARK: Lists

    @Test func listIsEvictedWithItsFirstEvictedMember() async throws {
        let two = EntityQuery<Model>().limit(2)
        clock.advance(by: .seconds(1))
        source.answer(.models([Model(id: 1, name: "1"), Model(id: 6, name: "6")]))
        _ = await repository.listSnapshot(two)
        clock.advance(by: .seconds(1))
        source.answer(.models([Model(id: 5, name: "5")]))
        _ = await repository.listSnapshot()
        // An age limit alone would remove neither list.
        try await repository.evict(EvictionLimits(count: 2))
        #expect(try await ids() == [5, 6])
        #expect(await repository.listSnapshot(two, policy: .cacheOnly).error?.code == .nothingKept)
        #expect(await repository.listSnapshot(policy: .cacheOnly).value?.map(\.id) == [5])
    }

    @Test func oldListIsEvictedWithoutItsYoungerMembers() async throws {
        source.answer(.models([Model(id: 6, name: "6")]))
        _ = await repository.listSnapshot()
        clock.advance(by: .seconds(10))
        _ = await repository.snapshot(id: 6, policy: .networkFirst)
        let evicted = try await repository.evict(EvictionLimits(age: .seconds(5)))
        #expect(evicted.lists.count == 1)
        #expect(try await ids() == [6])
        #expect(await repository.listSnapshot(policy: .cacheOnly).kept == nil)
    }

    // MARK: What stays

    @Test func observedModelIsNotEvicted() async throws {
        var snapshots = repository.observe(id: 1, policy: .cacheOnly).makeAsyncIterator()
        _ = await snapshots.next(isolation: nil)
        try await repository.evict(EvictionLimits(age: .zero, count: 0, bytes: 0))
        #expect(try await ids() == [1])
        try await store.commit([.remove(key(1))])
        // The observer was told of no other removal before.
        #expect(await snapshots.next(isolation: nil)?.error?.code == .nothingKept)
    }

    @Test func observedListAndItsMembersAreNotEvicted() async throws {
        source.answer(.models([Model(id: 2, name: "2"), Model(id: 4, name: "4")]))
        var lists = repository.observeList(policy: .cacheFirst).makeAsyncIterator()
        while try #require(await lists.next(isolation: nil)).fetch == .refreshing {}
        clock.advance(by: .seconds(1))
        try await repository.evict(EvictionLimits(age: .zero, count: 0, bytes: 0))
        #expect(try await ids() == [2, 4])
        #expect(await repository.listSnapshot(policy: .cacheOnly).value?.map(\.id) == [2, 4])
    }

    @Test func answerOfObservedQueryIsNotEvicted() async throws {
        let local = Repository(.models, in: store, configuration: .init(clock: clock.wall))
        let query = EntityQuery<Model>().filter(Model.byName < "3")
        var lists = local.observeList(query).makeAsyncIterator()
        while try #require(await lists.next(isolation: nil)).fetch == .refreshing {}
        try await local.evict(EvictionLimits(count: 0))
        #expect(try await ids() == [1, 2])
    }

    @Test func answerOfObservedQueryIsNotEvictedBeforeItsReread() async throws {
        let local = Repository(.models, in: store, configuration: .init(clock: clock.wall))
        let query = EntityQuery<Model>().filter(Model.byName < "3")
        _ = try await #require(local.stored).eviction.evict(EvictionLimits(count: 0), isPending: { _ in false }) {
            ObservedEntities([], lists: [(query, nil)], pages: [])
        }
        #expect(try await ids() == [1, 2])
    }

    @Test func modelIsEvictedAfterItsObserverEnds() async throws {
        let reader = Task { [repository] in
            for await _ in repository.observe(id: 1, policy: .cacheOnly) {}
        }
        await letOthersRun()
        reader.cancel()
        await reader.value
        try await repository.evict(EvictionLimits(count: 0))
        #expect(try await ids() == [])
    }

    @Test func modelWithPendingWriteIsNotEvicted() async throws {
        let pending: Set<EntityKey> = [key(1), key(3)]
        try await repository.evict(EvictionLimits(age: .zero, count: 3)) { pending.contains($0) }
        #expect(try await ids() == [1, 3, 5])
    }

    // MARK: Others at the same time

    @Test func answerDuringEvictionIsNotLost() async throws {
        let gate = Gate()
        store.wait(at: gate)
        async let evicted = repository.evict(EvictionLimits(count: 4))
        await gate.arrivals(1)
        source.answer(.models([Model(id: 1, name: "newer")]))
        clock.advance(by: .seconds(1))
        async let answer = repository.snapshot(id: 1, policy: .networkFirst)
        // The answer is committed before the eviction. The eviction then checks again and takes the
        // next oldest row.
        #expect(await answer.value?.name == "newer")
        gate.open()
        #expect(try await evicted.models == [key(2)])
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value?.name == "newer")
        #expect(try await ids() == [1, 3, 4, 5])
    }

    @Test func modelObservedDuringEvictionIsNotEvicted() async throws {
        let gate = Gate()
        store.wait(at: gate)
        async let evicted = repository.evict(EvictionLimits(count: 0))
        await gate.arrivals(1)
        var snapshots = repository.observe(id: 1, policy: .cacheOnly).makeAsyncIterator()
        #expect(await snapshots.next(isolation: nil)?.value?.name == "1")
        gate.open()
        #expect(try await evicted.models.count == 4)
        #expect(try await ids() == [1])
    }

    @Test func evictionFromUnwritableStoreThrowsAndLosesNothing() async throws {
        store.isFull = true
        await #expect(throws: StoreError.self) { try await repository.evict(EvictionLimits(count: 0)) }
        #expect(try await ids().count == 5)
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value?.name == "1")
    }
}
