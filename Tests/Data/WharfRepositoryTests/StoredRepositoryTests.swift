import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStorage
import WharfStores

@testable import WharfRepository

/// The behaviour that a store adds to the laws of every repository.
struct StoredRepositoryTests {
    typealias Model = RepositoryLaws.Model

    static let old = Model(id: 1, name: "old")
    static let new = Model(id: 1, name: "new")
    static let two = Model(id: 2, name: "two")
    static let unreachable = ReadFailure(.connectionFailed, message: "scripted: nobody listens")

    private let clock = TestClock()
    private let store = MemoryEntityStore()
    private let incidents = IncidentLog()
    private let source: ScriptedSource<Model>

    init() {
        source = ScriptedSource(.models([Self.old, Self.two]), clock: clock.wall)
    }

    private func repository(
        _ kind: EntityKind<Model> = .models, account: Account? = nil, remote: RemoteSource<Model>? = nil,
        connectivity: (any Connectivity)? = nil
    ) -> Repository<Model> {
        var configuration = RepositoryConfiguration(connectivity: connectivity, clock: clock.wall)
        configuration.onIncident = incidents.handler
        return Repository(
            kind, in: store, account: account, remote: remote ?? source.source, configuration: configuration)
    }

    private func put(_ model: Model, asOf: WallTime? = nil, staleAt: WallTime? = nil) async throws {
        let row = try EntityKind.models.row(model, of: nil, asOf: asOf ?? clock.wall.now(), staleAt: staleAt)
        try await store.commit([.put(row)])
    }

    // MARK: Durable

    @Test(arguments: [.connectionFailed, .undecodable, .unmappable, .tooLarge] as [ReadFailure.Code])
    func lastGoodValueOutlivesItsRepository(_ code: ReadFailure.Code) async throws {
        _ = await repository().snapshot(id: 1)
        let asOf = clock.wall.now()
        clock.advance(by: .seconds(3_600))
        source.answer(.failure(ReadFailure(code, message: "scripted")))
        let next = repository()
        let snapshot = await next.snapshot(id: 1)
        #expect(snapshot.value == Self.old)
        #expect(snapshot.kept?.source == .store)
        #expect(snapshot.kept?.asOf == asOf)
        #expect(snapshot.error?.code == code)
    }

    @Test func deletedModelStaysDeletedForTheNextRepository() async throws {
        let key = EntityKind.models.key(1, of: nil)
        _ = await repository().snapshot(id: 1)
        #expect(try await store.row(key) != nil)
        source.answer(.models([]))
        _ = await repository().snapshot(id: 1, policy: .networkFirst)
        #expect(try await store.row(key) == nil)
        source.answer(.failure(Self.unreachable))
        #expect(await repository().snapshot(id: 1).kept == nil)
    }

    @Test func aSourceWithoutStatusesCanSayThatAModelIsGone() async throws {
        _ = await repository().snapshot(id: 1)
        source.answer(.failure(ReadFailure(.gone, message: "scripted")))
        let snapshot = await repository().snapshot(id: 1, policy: .networkFirst)
        #expect(snapshot.kept == nil)
        #expect(snapshot.error?.code == .gone)
        #expect(try await store.row(EntityKind.models.key(1, of: nil)) == nil)
    }

    @Test func anAnswerThatMustNotBeStoredIsHeldInMemoryOnly() async throws {
        let now = clock.wall.now()
        let secret = RemoteSource<Model> { _, mode in
            guard mode != .storedOnly else { return Snapshot(kept: nil, error: .nothingKept) }
            let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "no-store"])
            return Snapshot(kept: .init(value: Self.new, source: .network, asOf: now, response: head))
        }
        let repository = repository(remote: secret)
        #expect(await repository.snapshot(id: 1).value == Self.new)
        #expect(try await store.row(EntityKind.models.key(1, of: nil)) == nil)
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value == Self.new)
    }

    @Test func aRowOfAnUnknownSchemaIsReportedAndFetchedAnew() async throws {
        let key = EntityKind.models.key(1, of: nil)
        let staleAt = clock.wall.now() + .seconds(60)
        try await store.commit([
            .put(EntityRow(key: key, schema: 7, bytes: [1], asOf: clock.wall.now(), staleAt: staleAt))
        ])
        #expect(await repository().snapshot(id: 1).value == Self.old)
        #expect(incidents.codes == [.entityUndecodable])
        #expect(try await store.row(key)?.schema == 1)
    }

    @Test func aStoreThatFailsIsReportedAndFailsNoRead() async {
        let repository = repository()
        store.close()
        let snapshot = await repository.snapshot(id: 1)
        #expect(snapshot.value == Self.old && snapshot.error == nil)
        #expect(Set(incidents.codes) == [.storeFailed])
        source.answer(.failure(Self.unreachable))
        // The value is in memory even so.
        #expect(await repository.snapshot(id: 1, policy: .networkFirst).value == Self.old)
    }

    @Test func anotherAccountSeesNothing() async {
        _ = await repository(account: Account("ann")).snapshot(id: 1)
        #expect(await repository(account: Account("bob")).snapshot(id: 1, policy: .cacheOnly).kept == nil)
        #expect(await repository().snapshot(id: 1, policy: .cacheOnly).kept == nil)
    }

    // MARK: Freshness

    @Test func theKindsTimeToLiveBeatsTheAnswers() async {
        let kind = EntityKind("model", codec: .text, timeToLive: .seconds(10))
        _ = await repository(kind).snapshot(id: 1)
        clock.advance(by: .seconds(9))
        _ = await repository(kind).snapshot(id: 1)
        #expect(source.requests == 1)
        clock.advance(by: .seconds(1))
        _ = await repository(kind).snapshot(id: 1)
        #expect(source.requests == 2)
    }

    // MARK: Order

    @Test func aLateAnswerReplacesNoNewerOneInTheStore() async throws {
        let gates = [Gate(), Gate()]
        let asked = Mutex(0)
        let now = clock.wall.now()
        let remote = RemoteSource<Model> { _, mode in
            guard mode != .storedOnly else { return Snapshot(kept: nil, error: .nothingKept) }
            let number = asked.withLock { asked in
                defer { asked += 1 }
                return asked
            }
            await gates[number].pass()
            let value = number == 0 ? Self.old : Self.new
            return Snapshot(kept: .init(value: value, source: .network, asOf: now))
        }
        let repository = repository(remote: remote)
        let slow = Task { await repository.snapshot(id: 1, policy: .networkFirst) }
        await gates[0].arrivals(1)
        let quick = Task { await repository.snapshot(id: 1, policy: .networkOnly) }
        await gates[1].arrivals(1)
        gates[1].open()
        #expect(await quick.value.value == Self.new)
        gates[0].open()
        #expect(await slow.value.value == Self.new)
        let row = try await store.row(EntityKind.models.key(1, of: nil))
        #expect(try EntityKind.models.model(try #require(row)) == Self.new)
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value == Self.new)
    }

    @Test func pushedModelReachesObserversUnlessOlder() async throws {
        let repository = repository()
        var snapshots = repository.observe(id: 1, policy: .cacheFirst).makeAsyncIterator()
        #expect(try await settled(&snapshots).value == Self.old)
        let now = clock.wall.now()
        await repository.receive(Model(id: 1, name: "older"), asOf: now - .seconds(1))
        await repository.receive(Self.new, asOf: now + .seconds(1))
        let pushed = await snapshots.next(isolation: nil)
        #expect(pushed?.value == Self.new)
        #expect(pushed?.kept?.source == .pushed)
        #expect(await self.repository().snapshot(id: 1, policy: .cacheOnly).value == Self.new)
    }

    // MARK: Others who write

    @Test func readSeesEarlierCommitOfOtherWriter() async throws {
        let repository = repository()
        for round in 0..<50 {
            let model = Model(id: 1, name: "round \(round)")
            try await put(model)
            #expect(await repository.snapshot(id: 1, policy: .cacheFirst).value == model)
            #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value == model)
        }
        try await store.commit([.remove(EntityKind.models.key(1, of: nil))])
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).error?.code == .nothingKept)
    }

    @Test func commitOfOtherWriterIsReportedToObservers() async throws {
        let repository = repository()
        var snapshots = repository.observe(id: 1, policy: .cacheFirst).makeAsyncIterator()
        #expect(try await settled(&snapshots).value == Self.old)
        try await put(Self.new, asOf: clock.wall.now() - .seconds(60))
        let reported = await snapshots.next(isolation: nil)
        #expect(reported?.value == Self.new && reported?.kept?.source == .store && reported?.fetch == .idle)
        try await store.commit([.remove(EntityKind.models.key(1, of: nil))])
        let gone = await snapshots.next(isolation: nil)
        #expect(gone?.kept == nil && gone?.error?.code == .nothingKept)
    }

    @Test func refreshErrorStaysBesideValueOfOtherWriter() async throws {
        let repository = repository()
        _ = await repository.snapshot(id: 1)
        source.answer(.failure(Self.unreachable))
        var snapshots = repository.observe(id: 1, policy: .networkFirst).makeAsyncIterator()
        #expect(try await settled(&snapshots).error == Self.unreachable)
        try await put(Self.new)
        let reported = await snapshots.next(isolation: nil)
        #expect(reported?.value == Self.new && reported?.error == Self.unreachable)
    }

    // MARK: The end

    @Test func closingEndsSequencesAndReads() async throws {
        let repository = repository()
        var snapshots = repository.observe(id: 1, policy: .cacheFirst).makeAsyncIterator()
        _ = try await settled(&snapshots)
        repository.close()
        #expect(await snapshots.next(isolation: nil) == nil)
        #expect(await repository.snapshot(id: 1).error?.code == .closed)
        var late = repository.observe(id: 1).makeAsyncIterator()
        #expect(await late.next(isolation: nil) == nil)
    }

    @Test func readAfterCloseIsClosedDespiteLateAnswer() async {
        let repository = repository()
        let gate = Gate()
        source.answer(.models([Self.new]), gate: gate)
        let late = Task { await repository.snapshot(id: 1) }
        await gate.arrivals(1)
        repository.close()
        gate.open()
        _ = await late.value
        #expect(await repository.snapshot(id: 1, policy: .cacheFirst).error?.code == .closed)
    }

    @Test(.trackingLeaks) func unreferencedRepositoryIsReleased() async throws {
        let repository = repository()
        trackForLeaks(repository.models)
        var snapshots = repository.observe(id: 1, policy: .cacheFirst).makeAsyncIterator()
        _ = try await settled(&snapshots)
    }

    /// The first snapshot that is not refreshing.
    private func settled(
        _ snapshots: inout SnapshotSequence<Model>.AsyncIterator
    ) async throws -> Snapshot<Model> {
        while true {
            let next = try #require(await snapshots.next(isolation: nil))
            if next.fetch != .refreshing { return next }
        }
    }
}
