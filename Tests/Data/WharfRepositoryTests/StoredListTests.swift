import Synchronization
import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStorage
import WharfStores

/// Lists over a store, which share their entities with reads of single models.
struct StoredListTests {
    typealias Model = RepositoryLaws.Model
    typealias Snapshots = SnapshotSequence<[Model]>.AsyncIterator

    private let clock = TestClock()
    private let store = CountingStore()
    private let models = (1...5).map { Model(id: $0, name: "model \($0)") }
    private let source: ScriptedSource<Model>

    init() {
        source = ScriptedSource(.models(models.reversed()), clock: clock.wall)
    }

    private func repository() -> Repository<Model> {
        Repository(.models, in: store, remote: source.source, configuration: .init(clock: clock.wall))
    }

    @Test func aListKeepsTheSourcesOrderAndOutlivesTheRepository() async {
        _ = await repository().listSnapshot()
        clock.advance(by: .seconds(3_600))
        source.answer(.failure(StoredRepositoryTests.unreachable))
        let kept = await repository().listSnapshot()
        #expect(kept.value?.map(\.id) == [5, 4, 3, 2, 1])
        #expect(kept.kept?.source == .store)
        #expect(kept.error == StoredRepositoryTests.unreachable)
    }

    @Test func listServesSingleReadsOfItsModels() async {
        let repository = repository()
        _ = await repository.listSnapshot()
        let one = await repository.snapshot(id: 3)
        #expect(one.value == models[2])
        #expect(source.requests == 1)
    }

    @Test func singleReadUpdatesListObservers() async throws {
        let repository = repository()
        var lists = repository.observeList(policy: .cacheFirst).makeAsyncIterator()
        _ = try await settled(&lists)
        let newer = Model(id: 3, name: "newer")
        source.answer(.models([newer]))
        clock.advance(by: .seconds(1))
        _ = await repository.snapshot(id: 3, policy: .networkFirst)
        let reported = await lists.next(isolation: nil)
        #expect(reported?.value?.first { $0.id == 3 } == newer)
        #expect(reported?.value?.count == 5)
    }

    @Test func listReadUpdatesObserversOfItsModels() async throws {
        let repository = repository()
        _ = await repository.snapshot(id: 1)
        var snapshots = repository.observe(id: 1, policy: .cacheFirst).makeAsyncIterator()
        _ = await snapshots.next(isolation: nil)
        let newer = Model(id: 1, name: "newer")
        source.answer(.models([newer]))
        _ = await repository.listSnapshot(policy: .networkFirst)
        let reported = await snapshots.next(isolation: nil)
        #expect(reported?.value == newer)
    }

    @Test func deletedModelLeavesTheLists() async throws {
        let repository = repository()
        var lists = repository.observeList(policy: .cacheFirst).makeAsyncIterator()
        _ = try await settled(&lists)
        source.answer(.models([]))
        _ = await repository.snapshot(id: 3, policy: .networkFirst)
        let reported = await lists.next(isolation: nil)
        #expect(reported?.value?.map(\.id) == [5, 4, 2, 1])
    }

    @Test func listsOfDifferentQueriesAreApart() async {
        let repository = repository()
        _ = await repository.listSnapshot()
        let query = EntityQuery<Model>().filter(Model.byName == "model 1")
        #expect(await repository.listSnapshot(query, policy: .cacheOnly).kept == nil)
    }

    @Test func withoutARemoteAListIsAQueryOverTheStore() async throws {
        _ = await repository().listSnapshot()
        let local = Repository(.models, in: store, configuration: .init(clock: clock.wall))
        let query = EntityQuery<Model>().filter(Model.byName > "model 2").sorted(by: Model.byName).limit(2)
        #expect(await local.listSnapshot(query).value?.map(\.id) == [3, 4])
        #expect(await local.snapshot(id: 9).error?.code == .nothingKept)
        var lists = local.observeList(query).makeAsyncIterator()
        _ = try await settled(&lists)
        try await store.commit([.remove(EntityKind.models.key(3, of: nil))])
        #expect(await lists.next(isolation: nil)?.value?.map(\.id) == [4, 5])
    }

    // MARK: Economy

    @Test func manyObserversOfOneListShareItsStoreReads() async throws {
        let repository = repository()
        var lists: [Snapshots] = []
        for _ in 0..<1_000 {
            var list = repository.observeList(policy: .cacheFirst).makeAsyncIterator()
            _ = try await settled(&list)
            lists.append(list)
        }
        let before = store.reads
        try await store.commit([
            .put(
                try EntityKind.models.row(
                    Model(id: 2, name: "newer"), of: nil, asOf: clock.wall.now(), staleAt: nil))
        ])
        for index in lists.indices {
            let reported = await lists[index].next(isolation: nil)
            #expect(reported?.value?.first { $0.id == 2 }?.name == "newer")
        }
        // One read for the row of the list, one for the rows of its members.
        #expect(store.reads - before == 2)
    }

    @Test func observerIsNotWokenByChangesToOtherModels() async throws {
        let repository = repository()
        for start in stride(from: 1, through: 100_000, by: 10_000) {
            try await commit((start..<start + 10_000).map { Model(id: $0, name: "model \($0)") })
        }
        let seen = Mutex<[String?]>([])
        let isSettled = Gate()
        let observation = Task {
            for await snapshot in repository.observe(id: 1, policy: .cacheFirst) {
                seen.withLock { $0.append(snapshot.value?.name) }
                if snapshot.value?.name == "model 1", snapshot.fetch == .idle { isSettled.open() }
                if snapshot.value?.name == "last" { return }
            }
        }
        await isSettled.pass()
        let (reads, wakeUps) = (store.reads, seen.withLock { $0.count })
        for id in 2...10_001 { try await commit([Model(id: id, name: "changed")]) }
        try await commit([Model(id: 1, name: "last")])
        await observation.value
        #expect(seen.withLock { $0.count } == wakeUps + 1)
        // More than a thousand pending changes are announced as "any key". The observed model is
        // then read again.
        #expect(store.reads <= reads + 1 + 10)
    }

    private func commit(_ models: [Model]) async throws {
        let now = clock.wall.now()
        try await store.commit(
            models.map { .put(try EntityKind.models.row($0, of: nil, asOf: now, staleAt: nil)) })
    }

    private func settled(_ snapshots: inout Snapshots) async throws -> Snapshot<[Model]> {
        while true {
            let next = try #require(await snapshots.next(isolation: nil))
            if next.fetch != .refreshing { return next }
        }
    }
}

/// A store that counts its reads.
final class CountingStore: ForwardingEntityStore {
    let base = MemoryEntityStore()
    private let count = Mutex(0)

    var reads: Int { count.withLock { $0 } }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        count.withLock { $0 += 1 }
        return try await base.row(key)
    }

    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        count.withLock { $0 += 1 }
        return try await base.rows(keys)
    }

    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        count.withLock { $0 += 1 }
        return try await base.rows(query, of: account, kind: kind)
    }

    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        count.withLock { $0 += 1 }
        return try await base.states(of: keys)
    }
    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        count.withLock { $0 += 1 }
        return try await base.states(query, of: account, kind: kind)
    }
}
