import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// The values that an invalidation makes stale, and the observers that it notifies.
struct InvalidationTests {
    typealias Model = RepositoryLaws.Model

    enum Way: CaseIterable {
        case id, filter, tag, all
    }

    private let clock = TestClock()
    private let source: ScriptedSource<Model>
    private let repository: Repository<Model>

    private static func models(_ name: String) -> [Model] { (1...3).map { Model(id: $0, name: "\(name) \($0)") } }

    init() async {
        source = ScriptedSource(.models(Self.models("old")), clock: clock.wall)
        let kind = EntityKind(
            "model", codec: .text, indexes: [Model.byName.index], timeToLive: .seconds(3_600),
            tags: { [$0.id % 2 == 0 ? "even" : "odd"] })
        repository = Repository(
            kind, in: MemoryEntityStore(), remote: source.source, configuration: .init(clock: clock.wall))
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
    func onlyInvalidatedModelsAreFetchedAgain(_ way: Way) async throws {
        try await invalidate(way)
        #expect(await repository.snapshot(id: 1).value?.name == (way == .all ? "new 1" : "old 1"))
        #expect(await repository.snapshot(id: 2).value?.name == "new 2")
    }

    @Test(arguments: Way.allCases)
    func invalidatedModelIsServedIfServiceIsUnreachable(_ way: Way) async throws {
        try await invalidate(way)
        source.answer(.failure(StoredRepositoryTests.unreachable))
        let snapshot = await repository.snapshot(id: 2)
        #expect(snapshot.value?.name == "old 2" && snapshot.error == StoredRepositoryTests.unreachable)
    }

    @Test(arguments: Way.allCases)
    func invalidatedModelMakesItsListsStale(_ way: Way) async throws {
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

    @Test func invalidatingListsLeavesModelsFresh() async throws {
        try await repository.invalidateLists()
        let requests = source.requests
        _ = await repository.snapshot(id: 1)
        #expect(source.requests == requests)
        _ = await repository.listSnapshot()
        #expect(source.requests == requests + 1)
    }

    @Test func prefetchRequestsEachStaleModelOnce() async throws {
        try await repository.invalidate(id: 2)
        let requests = source.requests
        await repository.prefetch([1, 2, 3, 2])
        #expect(source.requests == requests + 1)
        #expect(await repository.snapshot(id: 2, policy: .cacheOnly).value?.name == "new 2")
    }

    // MARK: Late answers

    @Test(arguments: Way.allCases)
    func answerRequestedBeforeInvalidationIsKeptAsStale(_ way: Way) async throws {
        let gate = Gate()
        source.answer(.models(Self.models("new")), gate: gate)
        let late = Task { await repository.snapshot(id: 2, policy: .networkFirst) }
        await gate.arrivals(1)
        try await invalidate(way)
        gate.open()
        let answer = await late.value
        #expect(answer.value?.name == "new 2" && answer.kept?.isFresh(at: clock.wall.now()) == false)
        source.answer(.models(Self.models("newer")))
        #expect(await repository.snapshot(id: 2).value?.name == "newer 2")
    }

    @Test(arguments: Way.allCases)
    func listRequestedBeforeInvalidationIsKeptAsStale(_ way: Way) async throws {
        let gate = Gate()
        source.answer(.models(Self.models("new")), gate: gate)
        let late = Task { await repository.listSnapshot(policy: .networkFirst) }
        await gate.arrivals(1)
        try await invalidate(way)
        gate.open()
        #expect(await late.value.value?.first?.name == "new 1")
        source.answer(.models(Self.models("newer")))
        #expect(await repository.listSnapshot().value?.first?.name == "newer 1")
    }

    @Test func invalidationDoesNotOverwriteConcurrentAnswer() async throws {
        let store = FaultyEntityStore()
        let repository = Repository(
            EntityKind("model", codec: .text, indexes: [Model.byName.index], timeToLive: .seconds(3_600)), in: store,
            remote: source.source, configuration: .init(clock: clock.wall))
        source.answer(.models(Self.models("old")))
        _ = await repository.listSnapshot()
        source.answer(.models(Self.models("new")))
        let gate = Gate()
        store.wait(at: gate)
        async let invalidated: Void = repository.invalidate(where: Model.byName == "old 2")
        await gate.arrivals(1)
        async let answer = repository.snapshot(id: 2, policy: .networkFirst)
        // The answer has arrived and waits to be committed.
        await waitUntil { source.requests >= 3 }
        store.wait(at: nil)
        gate.open()
        try await invalidated
        #expect(await answer.value?.name == "new 2")
        #expect(await repository.snapshot(id: 2, policy: .cacheOnly).value?.name == "new 2")
    }

    @Test(arguments: Way.allCases)
    func invalidationReachesModelHeldInMemoryOnly(_ way: Way) async throws {
        let now = clock.wall.now()
        let asked = Mutex(0)
        let remote = RemoteSource<Model> { id, mode in
            guard mode != .storedOnly else { return Snapshot(kept: nil, error: .nothing) }
            asked.withLock { $0 += 1 }
            let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "no-store"])
            let kept = Snapshot<Model>.Kept(
                value: Model(id: id, name: "old \(id)"), source: .network, asOf: now, staleAt: now + .seconds(60),
                response: head)
            return Snapshot(kept: kept)
        }
        let kind = EntityKind("model", codec: .text, indexes: [Model.byName.index], tags: { _ in ["even"] })
        let repository = Repository(
            kind, in: MemoryEntityStore(), remote: remote, configuration: .init(clock: clock.wall))
        _ = await repository.snapshot(id: 2)
        _ = await repository.snapshot(id: 2)
        #expect(asked.withLock { $0 } == 1)
        switch way {
        case .id: try await repository.invalidate(id: 2)
        case .filter: try await repository.invalidate(where: Model.byName == "old 2")
        case .tag: try await repository.invalidate(tag: "even")
        case .all: try await repository.invalidateAll()
        }
        _ = await repository.snapshot(id: 2)
        #expect(asked.withLock { $0 } == 2)
    }
}

extension ReadFailure {
    fileprivate static let nothing = ReadFailure(.nothingKept, message: "the script stores no values")
}
