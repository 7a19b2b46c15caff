import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStores

@testable import WharfRepository

/// How often a read asks the store, when it has to ask the network too.
struct DescentTests {
    typealias Model = RepositoryLaws.Model

    /// Counts reads and commits.
    final class CountingStore: ForwardingEntityStore {
        let base = MemoryEntityStore()
        private let counts = Mutex((reads: 0, commits: 0))

        var reads: Int { counts.withLock { $0.reads } }
        var commits: Int { counts.withLock { $0.commits } }

        func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
            counts.withLock { $0.reads += 1 }
            return try await base.states(of: keys)
        }

        func commit(
            _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
        ) async throws(StoreError) -> CommitOutcome {
            counts.withLock { $0.commits += 1 }
            return try await base.commit(changes, expecting: expected)
        }
    }

    private let clock = TestClock()
    private let store = CountingStore()
    private let source: ScriptedSource<Model>

    init() {
        source = ScriptedSource(.models([Model(id: 1, name: "new")]), clock: clock.wall)
    }

    private func put(_ name: String, staleAt: WallTime? = nil) async throws {
        let row = try EntityKind.models.row(Model(id: 1, name: name), of: nil, asOf: clock.wall.now(), staleAt: staleAt)
        try await store.base.commit([.put(row)])
        clock.advance(by: .seconds(1))
    }

    private func repository(_ remote: RemoteSource<Model>? = nil) -> Repository<Model> {
        Repository(.models, in: store, remote: remote ?? source.source, clock: clock.wall)
    }

    @Test(arguments: [.cacheThenNetwork, .standard] as [ReadPolicy])
    func observeOfAStaleModelReadsItOnce(_ policy: ReadPolicy) async throws {
        try await put("old")
        let models = repository()
        for await snapshot in models.observe(id: 1, policy: policy) where snapshot.value?.name == "new" { break }
        #expect(store.reads == 1)
        #expect(store.commits == 1)
    }

    @Test func observeOfAMissingModelReadsItOnce() async throws {
        let models = repository()
        for await snapshot in models.observe(id: 1) where snapshot.value != nil { break }
        #expect(store.reads == 1)
        #expect(store.commits == 1)
    }

    @Test func cacheFirstReadOfAMissingModelReadsItOnce() async throws {
        #expect(await repository().snapshot(id: 1, policy: .cacheFirst).value?.name == "new")
        #expect(store.reads == 1)
        #expect(store.commits == 1)
    }
}
