import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfRepository

/// The number of store reads of a read that also needs the network.
struct DescentTests {
    typealias Model = RepositoryLaws.Model

    /// A store that counts reads and commits.
    final class CountingStore: ForwardingEntityStore {
        let base = MemoryEntityStore()
        private let counts = Mutex((keys: [[String]](), commits: 0))
        private let gate = Mutex(Gate?.none)
        private let commitGate = Mutex(Gate?.none)
        private let use = Mutex<(@Sendable () -> Void)?>(nil)

        /// Called by the task that reads or commits.
        var onUse: (@Sendable () -> Void)? {
            get { use.withLock { $0 } }
            set { use.withLock { $0 = newValue } }
        }

        /// The ids that each read has looked at.
        var keys: [[String]] { counts.withLock { $0.keys } }
        var reads: Int { keys.count }
        var commits: Int { counts.withLock { $0.commits } }

        func hold(at gate: Gate) { self.gate.withLock { $0 = gate } }

        /// Makes commits wait at a gate after they are visible.
        func holdCommits(at gate: Gate) { commitGate.withLock { $0 = gate } }

        func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
            counts.withLock { $0.keys.append(keys.map(\.id)) }
            onUse?()
            await gate.withLock { $0 }?.pass()
            return try await base.states(of: keys)
        }

        func commit(
            _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
        ) async throws(StoreError) -> CommitOutcome {
            counts.withLock { $0.commits += 1 }
            onUse?()
            let outcome = try await base.commit(changes, expecting: expected)
            await commitGate.withLock { $0 }?.pass()
            return outcome
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
        Repository(.models, in: store, remote: remote ?? source.source, configuration: .init(clock: clock.wall))
    }

    private func put(_ ids: ClosedRange<Int>, _ name: String) async throws {
        let now = clock.wall.now()
        let rows = try ids.map { id in
            let staleAt = now + .seconds(60)
            return try EntityKind.models.row(Model(id: id, name: name), of: nil, asOf: now, staleAt: staleAt)
        }
        try await store.base.commit(rows.map(EntityChange.put))
    }

    @Test func observersThatBeginDuringAReadShareTheNextOne() async throws {
        try await put(1...50, "stored")
        let (models, gate) = (repository(), Gate())
        store.hold(at: gate)
        var observers = [models.observe(id: 1, policy: .standard).makeAsyncIterator()]
        await gate.arrivals(1)
        for id in 2...50 { observers.append(models.observe(id: id, policy: .standard).makeAsyncIterator()) }
        gate.open()
        for index in observers.indices {
            let first = await observers[index].next(isolation: nil)
            #expect(first?.value == Model(id: index + 1, name: "stored") && first?.fetch == .idle)
        }
        #expect(store.reads == 2)
    }

    @Test func modelsThatChangeTogetherAreReadByOneLook() async throws {
        try await put(1...50, "old")
        let models = repository()
        var observers = (1...50).map { models.observe(id: $0, policy: .standard).makeAsyncIterator() }
        for index in observers.indices { _ = await observers[index].next(isolation: nil) }
        let reads = store.reads
        try await put(1...50, "new")
        for index in observers.indices {
            #expect(await observers[index].next(isolation: nil)?.value?.name == "new")
        }
        #expect(store.reads == reads + 1)
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

    /// One task looks for all observers that begin, and one asks the source and commits its answer.
    @Test(arguments: [.cacheThenNetwork, .standard] as [ReadPolicy])
    func observeOfAMissingModelTakesTwoTasks(_ policy: ReadPolicy) async throws {
        let tasks = Mutex<Set<Int>>([])
        let note = { @Sendable in withUnsafeCurrentTask { task in _ = tasks.withLock { $0.insert(task.hashValue) } } }
        store.onUse = note
        let get = source.source.get
        let models = repository(
            RemoteSource { id, mode in
                note()
                return await get(id, mode)
            })
        for await snapshot in models.observe(id: 1, policy: policy) where snapshot.value != nil { break }
        #expect(source.modes == [.storedOnly, policy == .standard ? .normal : .reload])
        #expect(tasks.withLock { $0.count } == 2)
    }

    @Test func cacheFirstReadOfAMissingModelReadsItOnce() async throws {
        #expect(await repository().snapshot(id: 1, policy: .cacheFirst).value?.name == "new")
        #expect(store.reads == 1)
        #expect(store.commits == 1)
    }
}
