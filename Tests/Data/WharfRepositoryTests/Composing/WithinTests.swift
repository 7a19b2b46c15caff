import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository

/// The substitute for an answer that misses its deadline, and the fate of the late answer.
struct WithinTests {
    typealias Model = RepositoryLaws.Model

    @Test(arguments: LateAnswers.Base.allCases)
    func anAnswerInTimeIsHandedOn(base: LateAnswers.Base) async {
        let stage = LateAnswers(base)
        let snapshot = await stage.hurried.snapshot(id: 1)
        #expect(snapshot.value == LateAnswers.old && snapshot.kept?.source == .network)
        #expect(snapshot.error == nil && snapshot.fetch == .idle)
        #expect(stage.clock.sleepers == 0)
    }

    @Test func failureBeforeDeadlineKeepsItsError() async {
        let stage = LateAnswers()
        stage.source.answer(.failure(ReadFailure(.connectionFailed, message: "scripted")))
        let snapshot = await stage.hurried.snapshot(id: 1)
        #expect(snapshot.error?.code == .connectionFailed && snapshot.fetch == .idle)
    }

    @Test(arguments: LateAnswers.Base.allCases)
    func timedOutReadServesKeptValueBesideError(base: LateAnswers.Base) async throws {
        let stage = LateAnswers(base)
        _ = await stage.hurried.snapshot(id: 1)
        _ = await stage.hurried.listSnapshot()
        let asOf = stage.clock.wall.now()
        let label = base == .stored ? Source.store : .memory
        let gate = stage.holdUp()
        let one = await stage.late(gate) { await stage.hurried.snapshot(id: 1, policy: .networkFirst) }
        #expect(one.value == LateAnswers.old && one.kept?.source == label && one.kept?.asOf == asOf)
        #expect(one.error?.code == .timedOut && one.fetch == .refreshing)
        #expect(one.error?.message.contains("1.0 seconds") == true)
        let all = await stage.late(gate, arrivals: 2) { await stage.hurried.listSnapshot(policy: .networkFirst) }
        // The list is the last value that was read, so it is in memory in both cases.
        #expect(all.value == [LateAnswers.old] && all.kept?.source == .memory && all.error?.code == .timedOut)
        gate.open()
    }

    @Test func timedOutReadWithoutKeptValueHasErrorOnly() async {
        let stage = LateAnswers()
        let gate = stage.holdUp()
        let snapshot = await stage.late(gate) { await stage.hurried.snapshot(id: 1) }
        #expect(snapshot.kept == nil && snapshot.error?.code == .timedOut && snapshot.error?.others == [])
        gate.open()
    }

    @Test(arguments: LateAnswers.Base.allCases)
    func theLateAnswerIsThereForTheNextRead(base: LateAnswers.Base) async throws {
        let stage = LateAnswers(base)
        var news = stage.base.observe(id: 1, policy: .cacheOnly).makeAsyncIterator()
        _ = await news.next(isolation: nil)
        let gate = stage.holdUp()
        _ = await stage.late(gate) { await stage.hurried.snapshot(id: 1) }
        gate.open()
        _ = await stage.reported(&news) { $0.value == LateAnswers.new }
        let next = await stage.hurried.snapshot(id: 1)
        #expect(next.value == LateAnswers.new && next.error == nil)
        #expect(await stage.hurried.snapshot(id: 1, policy: .cacheOnly).value == LateAnswers.new)
        #expect(stage.source.requests == 1 || base == .remote)
    }

    @Test func timedOutNetworkOnlyReadServesNoKeptValue() async {
        let stage = LateAnswers()
        _ = await stage.hurried.snapshot(id: 1)
        let gate = stage.holdUp()
        let snapshot = await stage.late(gate) { await stage.hurried.snapshot(id: 1, policy: .networkOnly) }
        #expect(snapshot.kept == nil && snapshot.error?.code == .timedOut)
        gate.open()
    }

    @Test func mustRevalidateValueServesTimedOutReadOnlyIfFresh() async {
        let clock = TestClock()
        let gate = Gate()
        let head = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60, must-revalidate"])
        let source = RemoteSource<Model>(get: { [wall = clock.wall] id, mode in
            guard mode != .storedOnly else {
                return Snapshot(kept: nil, error: ReadFailure(.nothingKept, message: "scripted"))
            }
            if mode == .reload { await gate.pass() }
            let now = wall.now()
            let model = Model(id: id, name: "one")
            return Snapshot(
                kept: .init(value: model, source: .network, asOf: now, staleAt: now + .seconds(60), response: head))
        })
        let row = Repository(source: source, configuration: .init(clock: clock.wall)).within(
            .seconds(1), clock: clock.wall, timer: clock)
        _ = await row.snapshot(id: 1)
        for (round, stands) in [true, false].enumerated() {
            let reading = Task { await row.snapshot(id: 1, policy: .networkFirst) }
            await clock.untilSleeping()
            await gate.arrivals(1)
            clock.advance(by: .seconds(1))
            let snapshot = await reading.value
            #expect((snapshot.kept != nil) == stands, "round \(round)")
            #expect(snapshot.error?.code == .timedOut)
            clock.advance(by: .seconds(60))
        }
        gate.open()
    }

    @Test func cacheOnlyReadHasNoDeadline() async {
        let clock = TestClock()
        let gate = Gate()
        let source = RemoteSource<Model>(get: { id, _ in
            await gate.pass()
            return Snapshot(kept: .init(value: Model(id: id, name: "kept"), source: .httpCache, asOf: clock.wall.now()))
        })
        let row = Repository(source: source, configuration: .init(clock: clock.wall)).within(.seconds(1), timer: clock)
        let reading = Task { await row.snapshot(id: 1, policy: .cacheOnly) }
        await gate.arrivals(1)
        await letOthersRun()
        #expect(clock.sleepers == 0)
        gate.open()
        #expect(await reading.value.value?.name == "kept")
    }

    @Test func aStoreThatCanNotBeReadIsAmongTheErrors() async {
        let clock = TestClock()
        let gate = Gate()
        let source = RemoteSource<Model>(get: { id, mode in
            if mode == .storedOnly {
                return Snapshot(kept: nil, error: ReadFailure(.storeFailed, message: "scripted"))
            }
            await gate.pass()
            return Snapshot(kept: nil, error: ReadFailure(.offline, message: "scripted"))
        })
        let row = Repository(source: source, configuration: .init(clock: clock.wall)).within(
            .seconds(1), clock: clock.wall, timer: clock)
        let reading = Task { await row.snapshot(id: 1, policy: .networkFirst) }
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        let snapshot = await reading.value
        #expect(snapshot.error?.code == .timedOut && snapshot.error?.others.map(\.code) == [.storeFailed])
        gate.open()
    }
}
