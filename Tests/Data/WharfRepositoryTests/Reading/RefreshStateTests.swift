import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStores

@testable import WharfRepository

/// All observers of a key share the state of its refresh.
struct RefreshStateTests {
    typealias Model = RepositoryLaws.Model
    typealias Snapshots = SnapshotSequence<Model>.AsyncIterator

    private static let old = Model(id: 1, name: "old")
    private static let new = Model(id: 1, name: "new")
    private static let unreachable = ReadFailure(.connectionFailed, message: "scripted: nobody listens")

    /// A repository of each kind with one stale value.
    private struct Stage {
        let clock = TestClock()
        let source: ScriptedSource<Model>
        let repository: Repository<Model>

        init(isStored: Bool) async {
            source = ScriptedSource(.models([RefreshStateTests.old]), clock: clock.wall)
            let configuration = RepositoryConfiguration(clock: clock.wall)
            repository =
                isStored
                ? Repository(.models, in: MemoryEntityStore(), remote: source.source, configuration: configuration)
                : Repository(source: source.source, configuration: configuration)
            _ = await repository.snapshot(id: 1, policy: .networkFirst)
            clock.advance(by: .seconds(3_600))
        }

        func observe(_ policy: ReadPolicy? = nil) -> Snapshots {
            repository.observe(id: 1, policy: policy).makeAsyncIterator()
        }

        /// An observer whose refresh has ended.
        func settled(_ policy: ReadPolicy? = nil) async throws -> Snapshots {
            var snapshots = observe(policy)
            _ = try await RefreshStateTests.settled(&snapshots)
            return snapshots
        }

        func next(_ policy: ReadPolicy? = nil) async -> Snapshot<Model>? {
            var snapshots = observe(policy)
            return await snapshots.next(isolation: nil)
        }
    }

    private static func settled(_ snapshots: inout Snapshots) async throws -> Snapshot<Model> {
        while true {
            let next = try #require(await snapshots.next(isolation: nil))
            if next.fetch != .refreshing { return next }
        }
    }

    @Test(arguments: [true, false], [.cacheThenNetwork, .networkFirst, .standard] as [ReadPolicy])
    func lateObserverLearnsTheFailureWithoutRequest(isStored: Bool, policy: ReadPolicy) async throws {
        let stage = await Stage(isStored: isStored)
        stage.source.answer(.failure(Self.unreachable))
        let early = try await stage.settled()
        let requests = stage.source.requests
        let late = try #require(await stage.next(policy))
        #expect(late.value == Self.old && late.error == Self.unreachable && late.fetch == .idle)
        await letOthersRun()
        #expect(stage.source.requests == requests)
        withExtendedLifetime(early) {}
    }

    @Test(arguments: [true, false])
    func observerAsksAgainAfterThePause(isStored: Bool) async throws {
        let stage = await Stage(isStored: isStored)
        stage.source.answer(.failure(Self.unreachable))
        let early = try await stage.settled()
        stage.clock.advance(by: .seconds(1))
        let gate = Gate()
        stage.source.answer(.models([Self.new]), gate: gate)
        var late = stage.observe()
        let first = try #require(await late.next(isolation: nil))
        #expect(first.value == Self.old && first.error == Self.unreachable && first.fetch == .refreshing)
        gate.open()
        let answer = try await Self.settled(&late)
        #expect(answer.value == Self.new && answer.error == nil)
        withExtendedLifetime(early) {}
    }

    @Test func pauseEndsIfTheClockIsSetBack() {
        let now = TestClock().wall.now()
        var state = RefreshState()
        state.note(Self.unreachable, at: now)
        #expect(!state.mayBegin(at: now) && !state.mayBegin(at: now + .milliseconds(999)))
        #expect(state.mayBegin(at: now + .seconds(1)) && state.mayBegin(at: now - .milliseconds(1)))
    }

    @Test(arguments: [true, false])
    func readDuringThePauseAsksAndTellsObservers(isStored: Bool) async throws {
        let stage = await Stage(isStored: isStored)
        stage.source.answer(.failure(Self.unreachable))
        var early = try await stage.settled()
        var late = try await stage.settled()
        stage.source.answer(.models([Self.new]))
        #expect(await stage.repository.snapshot(id: 1, policy: .networkFirst).value == Self.new)
        for answer in [try await Self.settled(&early), try await Self.settled(&late)] {
            #expect(answer.value == Self.new && answer.error == nil)
        }
    }

    @Test(arguments: [true, false])
    func observersAreToldThatAReadIsUnderWay(isStored: Bool) async throws {
        let stage = await Stage(isStored: isStored)
        var observers = [try await stage.settled(), try await stage.settled(.networkFirst)]
        var quiet = try await stage.settled(.cacheOnly)
        let gate = Gate()
        stage.clock.advance(by: .seconds(1))
        stage.source.answer(.models([Self.new]), gate: gate)
        let read = Task { await stage.repository.snapshot(id: 1, policy: .networkFirst) }
        for index in observers.indices {
            var reported = try #require(await observers[index].next(isolation: nil))
            while reported.fetch == .idle { reported = try #require(await observers[index].next(isolation: nil)) }
            #expect(reported.value == Self.old && reported.fetch == .refreshing)
        }
        gate.open()
        #expect(await read.value.value == Self.new)
        for index in observers.indices {
            let reported = try #require(await observers[index].next(isolation: nil))
            #expect(reported.value == Self.new && reported.fetch == .idle)
        }
        let reported = try #require(await quiet.next(isolation: nil))
        #expect(reported.value == Self.new && reported.fetch == .idle)
    }

    @Test(arguments: [true, false])
    func readThatLeavesEndsTheRefreshForObservers(isStored: Bool) async throws {
        let stage = await Stage(isStored: isStored)
        var observer = try await stage.settled()
        let gate = Gate()
        stage.source.answer(.models([Self.new]), gate: gate)
        let read = Task { await stage.repository.snapshot(id: 1, policy: .networkFirst) }
        #expect(await observer.next(isolation: nil)?.fetch == .refreshing)
        read.cancel()
        let reported = try #require(await observer.next(isolation: nil))
        #expect(reported.value == Self.old && reported.error == nil && reported.fetch == .idle)
    }

    /// A stale value in a store is asked for in one way by all policies that fall back on it.
    @Test(arguments: [[.standard, .cacheThenNetwork], [.cacheThenNetwork, .standard]] as [[ReadPolicy]])
    func policiesShareTheRequestForAStaleValue(policies: [ReadPolicy]) async throws {
        let stage = await Stage(isStored: true)
        let (gate, before) = (Gate(), stage.source.requests)
        stage.source.answer(.models([Self.new]), gate: gate)
        var observers: [Snapshots] = []
        for policy in policies {
            observers.append(stage.observe(policy))
            let first = try #require(await observers[observers.count - 1].next(isolation: nil))
            #expect(first.value == Self.old && first.fetch == .refreshing)
        }
        let read = Task { await stage.repository.snapshot(id: 1, policy: .standard) }
        await gate.arrivals()
        await letOthersRun()
        gate.open()
        for index in observers.indices { #expect(try await Self.settled(&observers[index]).value == Self.new) }
        #expect(await read.value.value == Self.new)
        #expect(stage.source.requests == before + 1)
    }

    @Test(arguments: [429, 503])
    func observerAsksAfterTheTimeThatTheServiceAskedFor(status: Int) async throws {
        let stage = await Stage(isStored: true)
        let head = HTTPResponse(status: .init(code: status), headerFields: [.retryAfter: "30"])
        let failure = ReadFailure(.status, message: "scripted: \(status)", response: head)
        stage.source.answer(.failure(failure))
        let early = try await stage.settled()
        stage.clock.advance(by: .seconds(29))
        let requests = stage.source.requests
        #expect(await stage.next()?.error == failure)
        #expect(stage.source.requests == requests)
        stage.clock.advance(by: .seconds(1))
        let late = try await stage.settled()
        #expect(stage.source.requests == requests + 1)
        withExtendedLifetime((early, late)) {}
    }

    /// An answer may change at any time, such as a 401 by a sign-in.
    @Test func observerAsksAtOnceAfterAnAnswer() async throws {
        let stage = await Stage(isStored: true)
        let head = HTTPResponse(status: .unauthorized)
        stage.source.answer(.failure(ReadFailure(.status, message: "scripted: 401", response: head)))
        let early = try await stage.settled()
        let gate = Gate()
        stage.source.answer(.models([Self.new]), gate: gate)
        var late = stage.observe()
        let first = try #require(await late.next(isolation: nil))
        #expect(first.error == nil && first.fetch == .refreshing)
        gate.open()
        #expect(try await Self.settled(&late).value == Self.new)
        withExtendedLifetime(early) {}
    }

    // MARK: Without tasks

    private static let now = WallTime(secondsSince1970: 1_000)

    @Test func stateIsRefreshingUntilItsLastRequestEnds() {
        var state = RefreshState()
        state.begin(.reload)
        state.begin(.bypass)
        state.end(.reload)
        #expect(state.fetch(.standard, hasValue: true) == .refreshing)
        state.end(.normal)
        #expect(state.fetch(.standard, hasValue: true) == .refreshing)
        state.end(.bypass)
        #expect(state.fetch(.standard, hasValue: true) == .idle)
    }

    @Test func lookOfARequestIsNoRefresh() {
        var state = RefreshState()
        state.begin(.reload, isLooking: true)
        #expect(state.fetch(.standard, hasValue: false) == .idle && state.isLooking(.reload))
        state.endLook(.reload)
        #expect(state.fetch(.standard, hasValue: false) == .idle && !state.isLooking(.reload))
        state.ask(.reload)
        #expect(state.fetch(.standard, hasValue: false) == .refreshing)
    }

    @Test func requestEndsThePause() {
        var state = RefreshState()
        state.pauseOffline()
        #expect(state.fetch(.standard, hasValue: true) == .paused && state.failure?.code == .offline)
        #expect(state.fetch(.cacheFirst, hasValue: true) == .idle)
        state.begin(.normal)
        state.end(.normal)
        #expect(state.fetch(.standard, hasValue: true) == .idle)
    }

    @Test func cancelledRequestLeavesTheFailure() {
        var state = RefreshState()
        state.note(Self.unreachable, at: Self.now)
        state.note(.cancelled(), at: Self.now + .seconds(1))
        #expect(state.failure == Self.unreachable && state.mayBegin(at: Self.now + .seconds(1)))
        state.note(nil, at: Self.now)
        #expect(state.failure == nil && state.mayBegin(at: Self.now))
    }

    @Test(arguments: [ReadFailure.Code.offline, .credentialUnavailable, .storeFailed])
    func failureOfTheDeviceMakesNoPause(code: ReadFailure.Code) {
        var state = RefreshState()
        state.note(ReadFailure(code, message: "scripted"), at: Self.now)
        #expect(state.mayBegin(at: Self.now))
    }
}
