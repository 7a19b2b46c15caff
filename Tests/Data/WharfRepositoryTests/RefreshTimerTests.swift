import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStores

@testable import WharfRepository

/// Observed values are refreshed at an interval.
struct RefreshTimerTests {
    typealias Model = RepositoryLaws.Model
    typealias Snapshots = SnapshotSequence<Model>.AsyncIterator

    static let interval = Duration.seconds(10)

    /// A repository of each kind, whose answers are fresh for an hour.
    struct Stage: Sendable {
        let clock = TestClock()
        let connectivity = TestConnectivity()
        let source: ScriptedSource<Model>
        let repository: any ReadableRepository<Model>
        let close: @Sendable () -> Void

        init(isStored: Bool, interval: Duration? = RefreshTimerTests.interval) {
            source = ScriptedSource(.models([Model(id: 1, name: "0")]), lifetime: .seconds(3_600), clock: clock.wall)
            if isStored {
                let stored = Repository(
                    .models, in: MemoryEntityStore(), remote: source.source,
                    configuration: .init(
                        connectivity: connectivity, refreshInterval: interval, clock: clock.wall, timer: clock))
                (repository, close) = (stored, stored.close)
            } else {
                let remote = Repository(
                    source: source.source,
                    configuration: .init(
                        connectivity: connectivity, refreshInterval: interval, clock: clock.wall, timer: clock))
                (repository, close) = (remote, remote.close)
            }
        }

        /// An observer that has its first answer.
        func settled(_ policy: ReadPolicy? = nil) async throws -> Snapshots {
            var snapshots = repository.observe(id: 1, policy: policy).makeAsyncIterator()
            _ = try await RefreshTimerTests.settled(&snapshots)
            return snapshots
        }

        /// The number of requests, counted after open work has had many chances to run.
        func requestsWhenQuiet() async -> Int {
            await letOthersRun()
            return source.requests
        }
    }

    @Test(arguments: [true, false])
    func timerRefreshesObservedModelEvenWhileFresh(isStored: Bool) async throws {
        let stage = Stage(isStored: isStored)
        var snapshots = try await stage.settled()
        for round in 1...5 {
            await stage.clock.untilSleeping()
            stage.source.answer(.models([Model(id: 1, name: "\(round)")]))
            stage.clock.advance(by: Self.interval)
            #expect(try await Self.settled(&snapshots).value?.name == "\(round)")
            #expect(stage.source.requests == 1 + round)
        }
    }

    @Test(arguments: [true, false])
    func timerRefreshesObservedList(isStored: Bool) async throws {
        let stage = Stage(isStored: isStored)
        var lists = stage.repository.observeList().makeAsyncIterator()
        while try #require(await lists.next(isolation: nil)).fetch == .refreshing {}
        await stage.clock.untilSleeping()
        stage.source.answer(.models([Model(id: 1, name: "1"), Model(id: 2, name: "2")]))
        stage.clock.advance(by: Self.interval)
        var next = try #require(await lists.next(isolation: nil))
        while next.fetch == .refreshing { next = try #require(await lists.next(isolation: nil)) }
        #expect(next.value?.map(\.name) == ["1", "2"])
    }

    @Test(arguments: [true, false])
    func timerRefreshesPagedListOnlyWhileObserved(isStored: Bool) async throws {
        let clock = TestClock()
        let origin = PagedOrigin(.cursor, ids: 1...10, lifetime: .seconds(3_600), clock: clock.wall)
        let list: PagedList<Model>
        if isStored {
            list = Repository(
                .models, in: MemoryEntityStore(), remote: origin.source,
                configuration: .init(refreshInterval: Self.interval, clock: clock.wall, timer: clock)
            ).pages(size: 3)
        } else {
            list = Repository(
                source: origin.source,
                configuration: .init(refreshInterval: Self.interval, clock: clock.wall, timer: clock)
            ).pages(size: 3)
        }
        let reader = Task {
            for await snapshot in list.observe() where snapshot.value?.items.first?.id == 11 { return }
        }
        await clock.untilSleeping()
        await waitUntil { !list.ids.isEmpty }
        origin.put(Model(id: 11, name: "new"))
        clock.advance(by: Self.interval)
        await reader.value
        #expect(list.ids == [11, 10, 9])
        await waitUntil { clock.sleepers == 0 }
        #expect(origin.tokens.count == 2)
    }

    @Test(arguments: [true, false])
    func timerSendsNoRequestBeforeTheInterval(isStored: Bool) async throws {
        let stage = Stage(isStored: isStored)
        let snapshots = try await stage.settled()
        await stage.clock.untilSleeping()
        stage.clock.advance(by: Self.interval - .nanoseconds(1))
        #expect(await stage.requestsWhenQuiet() == 1)
        withExtendedLifetime(snapshots) {}
    }

    @Test(arguments: [true, false], [ReadPolicy.cacheOnly, .cacheFirst])
    func observerWithoutNetworkPolicyStartsNoTimer(isStored: Bool, policy: ReadPolicy) async throws {
        let stage = Stage(isStored: isStored)
        let snapshots = try await stage.settled(policy)
        let before = stage.source.requests
        await letOthersRun()
        #expect(stage.clock.sleepers == 0)
        stage.clock.advance(by: .seconds(3_600))
        #expect(await stage.requestsWhenQuiet() == before)
        withExtendedLifetime(snapshots) {}
    }

    @Test(arguments: [true, false])
    func withoutAnIntervalThereIsNoTimer(isStored: Bool) async throws {
        let stage = Stage(isStored: isStored, interval: nil)
        let snapshots = try await stage.settled()
        await letOthersRun()
        #expect(stage.clock.sleepers == 0)
        withExtendedLifetime(snapshots) {}
    }

    @Test(arguments: [true, false])
    func theTimerEndsWithTheLastObserverAndBeginsWithTheNext(isStored: Bool) async throws {
        let stage = Stage(isStored: isStored)
        let leaving = Task {
            for await _ in stage.repository.observe(id: 1) {}
        }
        await stage.clock.untilSleeping()
        // The timer may start before the first request.
        await waitUntil { stage.source.requests == 1 }
        leaving.cancel()
        await leaving.value
        let before = stage.source.requests
        stage.clock.advance(by: Self.interval)
        #expect(await stage.requestsWhenQuiet() == before)
        #expect(stage.clock.sleepers == 0)
        var snapshots = try await stage.settled(.networkFirst)
        await stage.clock.untilSleeping()
        stage.source.answer(.models([Model(id: 1, name: "again")]))
        stage.clock.advance(by: Self.interval)
        #expect(try await Self.settled(&snapshots).value?.name == "again")
    }

    @Test(arguments: [true, false])
    func timerSendsNoRequestWhileOffline(isStored: Bool) async throws {
        let stage = Stage(isStored: isStored)
        var snapshots = try await stage.settled()
        stage.connectivity.turn(online: false)
        await stage.clock.untilSleeping()
        stage.clock.advance(by: Self.interval)
        await stage.clock.untilSleeping()
        #expect(stage.source.requests == 1)
        stage.connectivity.turn(online: true)
        stage.source.answer(.models([Model(id: 1, name: "back")]))
        stage.clock.advance(by: Self.interval)
        #expect(try await Self.settled(&snapshots).value?.name == "back")
    }

    @Test(arguments: [true, false])
    func timerSendsNoRequestBeforeRetryAfter(isStored: Bool) async throws {
        let stage = Stage(isStored: isStored)
        var snapshots = try await stage.settled()
        let head = HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "15"])
        stage.source.answer(.failure(ReadFailure(.status, message: "scripted: 503", response: head)))
        await stage.clock.untilSleeping()
        stage.clock.advance(by: Self.interval)
        #expect(try await Self.settled(&snapshots).error != nil)
        for requests in [2, 3] {
            await stage.clock.untilSleeping()
            stage.clock.advance(by: Self.interval)
            #expect(await stage.requestsWhenQuiet() == requests)
        }
    }

    @Test(arguments: [true, false])
    func closingEndsTheTimer(isStored: Bool) async throws {
        let stage = Stage(isStored: isStored)
        let snapshots = try await stage.settled()
        await stage.clock.untilSleeping()
        stage.close()
        await waitUntil { stage.clock.sleepers == 0 }
        withExtendedLifetime(snapshots) {}
    }

    @Test func releasedRepositoryEndsItsTimer() async throws {
        let clock = TestClock()
        let source = ScriptedSource<Model>(.models([Model(id: 1, name: "0")]), clock: clock.wall)
        do {
            let repository = Repository(
                .models, in: MemoryEntityStore(), remote: source.source,
                configuration: .init(refreshInterval: Self.interval, clock: clock.wall, timer: clock))
            var snapshots = repository.observe(id: 1).makeAsyncIterator()
            _ = try await Self.settled(&snapshots)
            await clock.untilSleeping()
        }
        await waitUntil { clock.sleepers == 0 }
    }

    private static func settled(_ snapshots: inout Snapshots) async throws -> Snapshot<Model> {
        while true {
            let next = try #require(await snapshots.next(isolation: nil))
            if next.fetch != .refreshing { return next }
        }
    }
}
