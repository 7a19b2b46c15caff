import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfRepository

/// The number of calls of the source, store reads and commits of one read.
struct SourceCallTests {
    typealias Model = RepositoryLaws.Model

    private let clock = TestClock()
    private let store = DescentTests.CountingStore()
    private let source: ScriptedSource<Model>

    init() {
        source = ScriptedSource(.models([Model(id: 1, name: "new"), Model(id: 2, name: "new")]), clock: clock.wall)
    }

    private var stored: Repository<Model> {
        Repository(.models, in: store, remote: source.source, configuration: .init(clock: clock.wall))
    }

    private var unstored: Repository<Model> {
        Repository(source: source.source, configuration: .init(clock: clock.wall))
    }

    private func putStaleRow() async throws {
        try await put(Model(id: 1, name: "old"), staleAt: clock.wall.now())
        clock.advance(by: .seconds(1))
    }

    private func put(_ model: Model, staleAt: WallTime?) async throws {
        let row = try EntityKind.models.row(model, of: nil, asOf: clock.wall.now(), staleAt: staleAt)
        try await store.base.commit([.put(row)])
    }

    private static func modes(_ policy: ReadPolicy, observed: Bool) -> [CacheMode] {
        switch policy {
        case .cacheOnly: [.storedOnly]
        case .cacheFirst: [.storedOnly, .normal]
        case .standard: observed ? [.storedOnly, .normal] : [.normal]
        case .cacheThenNetwork: observed ? [.storedOnly, .reload] : [.reload]
        case .networkFirst: [.reload]
        default: [.bypass]
        }
    }

    @Test(arguments: ReadPolicy.all)
    func readOfAMissingModelCallsTheSourceOnce(_ policy: ReadPolicy) async {
        let snapshot = await stored.snapshot(id: 1, policy: policy)
        #expect(snapshot.value?.name == (policy == .cacheOnly ? nil : "new"))
        #expect(source.calls == 1)
        #expect(source.modes == Self.modes(policy, observed: false))
        #expect(store.reads == 1)
        #expect(store.commits == (policy == .cacheOnly ? 0 : 1))
    }

    @Test(arguments: ReadPolicy.all)
    func observeOfAMissingModelCallsTheSourceOnce(_ policy: ReadPolicy) async {
        let models = stored
        for await snapshot in models.observe(id: 1, policy: policy)
        where snapshot.value != nil || policy == .cacheOnly { break }
        #expect(source.calls == 1)
        #expect(source.modes == Self.modes(policy, observed: true))
        #expect(store.reads == 1)
        #expect(store.commits == (policy == .cacheOnly ? 0 : 1))
    }

    @Test(arguments: ReadPolicy.all)
    func observeWithoutAStoreCallsTheSourceOnce(_ policy: ReadPolicy) async {
        let models = unstored
        for await snapshot in models.observe(id: 1, policy: policy)
        where snapshot.value != nil || policy == .cacheOnly { break }
        #expect(source.calls == 1)
        #expect(source.modes == Self.modes(policy, observed: true))
    }

    @Test func readOfAMissingListCallsTheSourceOnce() async {
        #expect(await stored.listSnapshot(policy: .cacheFirst).value?.count == 2)
        #expect(source.calls == 1)
        #expect(source.modes == [.storedOnly, .normal])
    }

    @Test func observeOfAMissingListCallsTheSourceOnce() async {
        let models = stored
        for await snapshot in models.observeList() where snapshot.value != nil { break }
        #expect(source.calls == 1)
        #expect(source.modes == [.storedOnly, .reload])
    }

    @Test(arguments: [.standard, .cacheThenNetwork] as [ReadPolicy])
    func observeOfAStaleModelCallsTheSourceOnce(_ policy: ReadPolicy) async throws {
        try await putStaleRow()
        let models = stored
        for await snapshot in models.observe(id: 1, policy: policy) where snapshot.value?.name == "new" { break }
        #expect(source.calls == 1)
        #expect(source.modes == [.reload])
        #expect(store.reads == 1)
        #expect(store.commits == 1)
    }

    @Test func readOfAStaleModelCallsTheSourceOnce() async throws {
        try await putStaleRow()
        #expect(await stored.snapshot(id: 1, policy: .standard).value?.name == "new")
        #expect(source.calls == 1)
        #expect(source.modes == [.reload])
        #expect(store.reads == 1)
        #expect(store.commits == 1)
    }

    /// The kept answer of the source is shown first. Both answers are of one call.
    @Test func observeOfAKeptAnswerCallsTheSourceOnce() async {
        let now = clock.wall.now()
        source.keep([Model(id: 1, name: "kept")], asOf: now - .seconds(9), staleAt: now)
        let gate = Gate()
        source.answer(.models([Model(id: 1, name: "new")]), gate: gate)
        let models = stored
        var names: [String?] = []
        for await snapshot in models.observe(id: 1) {
            names.append(snapshot.value?.name)
            if snapshot.value?.name == "new" { break }
            gate.open()
        }
        // The kept value may come twice, and no other state stands between.
        #expect(names.last == "new" && names.count > 1 && names.dropLast().allSatisfy { $0 == "kept" })
        #expect(source.calls == 1)
        #expect(source.modes == [.storedOnly, .reload])
    }

    @Test func modelThatTheServiceLacksCallsTheSourceOnce() async {
        source.answer(.models([]))
        let models = stored
        for await snapshot in models.observe(id: 1) where snapshot.error?.response?.status == .notFound { break }
        #expect(source.calls == 1)
        #expect(store.commits == 1)
    }

    /// The change of the other model shows that the news of the removal has been taken.
    @Test func removalOfAMissingModelIsNotReadAgain() async throws {
        source.answer(.models([]))
        try await put(Model(id: 2, name: "old"), staleAt: nil)
        let (models, gate) = (stored, Gate())
        var other = models.observe(id: 2, policy: .cacheOnly).makeAsyncIterator()
        #expect(await other.next(isolation: nil)?.value?.name == "old")
        store.holdCommits(at: gate)
        var missing = models.observe(id: 1).makeAsyncIterator()
        await gate.arrivals(1)
        try await put(Model(id: 2, name: "new"), staleAt: nil)
        #expect(await other.next(isolation: nil)?.value?.name == "new")
        #expect(store.keys == [["2"], ["1"], ["2"]])
        gate.open()
        while let snapshot = await missing.next(isolation: nil), snapshot.error?.response?.status != .notFound {
            #expect(snapshot.error == nil)
        }
        #expect(store.keys.count == 3)
    }

    /// The second observer comes while the store is read for the first one, which serves both.
    @Test func observersOfAMissingModelShareOneCallAndOneRead() async {
        let (models, gate) = (stored, Gate())
        store.hold(at: gate)
        var observers = [models.observe(id: 1).makeAsyncIterator()]
        await gate.arrivals(1)
        // The other model makes the task look once more, so that its keys can be compared.
        for id in [1, 2] { observers.append(models.observe(id: id).makeAsyncIterator()) }
        gate.open()
        for index in observers.indices {
            while let snapshot = await observers[index].next(isolation: nil), snapshot.value == nil {}
        }
        #expect(store.keys == [["1"], ["2"]])
        // One call for each of the two models.
        #expect(source.calls == 2)
    }
}
