import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStores

@testable import WharfRepository

/// The behaviour of every paged list, for each base and each way in which a service pages.
struct PagedListTests {
    typealias Model = RepositoryLaws.Model

    @Test(arguments: PagedVariation.all)
    func pagesComeInOrderAsTheyAreAskedFor(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        var snapshots = list.observe().makeAsyncIterator()
        let first = try await PagedStage.settled(&snapshots)
        #expect(first.value?.items.map(\.id) == [10, 9, 8])
        #expect(first.value?.hasMore == true && first.error == nil && first.kept?.asOf == stage.clock.wall.now())
        #expect(stage.origin.tokens == [nil])
        await list.loadMore()
        let second = try await PagedStage.settled(&snapshots)
        #expect(second.value?.items.map(\.id) == [10, 9, 8, 7, 6, 5])
        await list.loadMore()
        await list.loadMore()
        #expect(list.ids == stage.origin.ids)
        #expect(list.snapshot.value?.hasMore == false)
        await list.loadMore()
        #expect(stage.origin.tokens.count == 4)
    }

    @Test(arguments: PagedVariation.all)
    func failedPageKeepsTheListAndCanBeRetried(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        await list.refresh()
        await list.loadMore()
        stage.origin.fail(PagedStage.unreachable)
        await list.loadMore()
        #expect(list.ids == [10, 9, 8, 7, 6, 5] && list.error == PagedStage.unreachable)
        #expect(list.snapshot.value?.hasMore == true && list.snapshot.value?.isLoadingMore == false)
        stage.origin.fail(nil)
        await list.loadMore()
        #expect(list.ids == [10, 9, 8, 7, 6, 5, 4, 3, 2] && list.error == nil)
    }

    @Test(arguments: PagedVariation.all)
    func refreshReplacesAllPagesAtomically(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages(policy: .cacheFirst)
        await list.refresh()
        await list.loadMore()
        let seen = Mutex<[[Int]]>([])
        let isDone = Gate()
        let observation = Task {
            for await snapshot in list.observe() {
                let ids = snapshot.value?.items.map(\.id) ?? []
                seen.withLock { $0.append(ids) }
                if ids.first == 12 { isDone.open() }
            }
        }
        stage.clock.advance(by: .seconds(1))
        stage.origin.put(Model(id: 11, name: "new"))
        stage.origin.put(Model(id: 12, name: "new"))
        let gate = Gate()
        stage.origin.hold(request: 3, at: gate)
        let refresh = Task { await list.refresh() }
        await gate.arrivals()
        #expect(list.ids == [10, 9, 8, 7, 6, 5] && list.snapshot.fetch == .refreshing)
        gate.open()
        await refresh.value
        #expect(list.ids == [12, 11, 10, 9, 8, 7] && list.snapshot.fetch == .idle)
        await isDone.pass()
        observation.cancel()
        #expect(Set(seen.withLock { $0 }) == [[10, 9, 8, 7, 6, 5], [12, 11, 10, 9, 8, 7]])
    }

    @Test(arguments: PagedVariation.all)
    func failedRefreshKeepsTheList(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        await list.refresh()
        await list.loadMore()
        stage.origin.put(Model(id: 11, name: "new"))
        stage.clock.advance(by: .seconds(1))
        // The second page of the refresh fails.
        stage.origin.fail(PagedStage.unreachable, request: 3)
        await list.refresh()
        #expect(list.ids == [10, 9, 8, 7, 6, 5] && list.error == PagedStage.unreachable)
        #expect(list.snapshot.fetch == .idle)
        stage.origin.fail(nil)
        await list.refresh()
        #expect(list.ids == [11, 10, 9, 8, 7, 6] && list.error == nil)
    }

    @Test(arguments: [true, false])
    func anEntityThatComesTwiceIsShownOnceAtItsFirstPlace(isStored: Bool) async throws {
        let stage = PagedStage(.init(isStored: isStored, kind: .offset))
        let list = try stage.pages()
        await list.refresh()
        stage.origin.put(Model(id: 11, name: "new"))
        await list.loadMore()
        #expect(list.ids == [10, 9, 8, 7, 6])
    }

    @Test(arguments: PagedVariation.all)
    func anAnswerToTheFirstPageIsNotMasked(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        await list.refresh()
        let head = HTTPResponse(status: .unauthorized)
        stage.origin.fail(ReadFailure(.status, message: "scripted: 401", response: head))
        await list.refresh()
        #expect(list.snapshot.kept == nil && list.error?.response?.status == .unauthorized)
        stage.origin.fail(nil)
        await list.refresh()
        #expect(list.ids == [10, 9, 8])
    }

    @Test(arguments: PagedVariation.all)
    func pagesBeyondTheCapAreDroppedAtTheOtherEnd(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages(keeping: 6)
        await list.refresh()
        for _ in 0..<2 { await list.loadMore() }
        #expect(list.ids == [7, 6, 5, 4, 3, 2])
        #expect(list.snapshot.value?.hasEarlier == true && list.snapshot.value?.hasMore == true)
        await list.loadEarlier()
        #expect(list.ids == [10, 9, 8, 7, 6, 5])
        #expect(list.snapshot.value?.hasEarlier == false && list.snapshot.value?.hasMore == true)
        await list.loadMore(near: 5)
        #expect(list.ids == [7, 6, 5, 4, 3, 2])
        await list.loadMore(near: 7)
        #expect(list.ids == [10, 9, 8, 7, 6, 5])
        for _ in 0..<2 { await list.loadMore() }
        // Memory holds the two pages and the first one.
        let reader = stage.stored?.pagedLists.reader ?? stage.remote?.pagedLists.reader
        #expect(reader?.cache.withLock { $0.entries.values.filter { !$0.watches.isEmpty }.count } == 3)
        await list.refresh()
        #expect(list.ids == [10, 9, 8, 7, 6, 5] && list.snapshot.value?.hasEarlier == false)
    }

    @Test(arguments: PagedVariation.all)
    func onlyAnItemNearTheEndLoadsMore(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages(size: 4)
        await list.refresh()
        for id in [10, 9, 1] { await list.loadMore(near: id) }
        #expect(stage.origin.tokens.count == 1)
        await list.loadMore(near: 8)
        #expect(list.ids == [10, 9, 8, 7, 6, 5, 4, 3])
    }

    @Test(arguments: PagedVariation.all)
    func withoutANetworkTheListWaitsForOne(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        stage.connectivity.turn(online: false)
        let list = try stage.pages()
        var snapshots = list.observe().makeAsyncIterator()
        let paused = try await PagedStage.settled(&snapshots)
        #expect(paused.fetch == .paused && paused.error?.code == .offline && paused.kept == nil)
        stage.connectivity.turn(online: true)
        var next = try await PagedStage.settled(&snapshots)
        while next.fetch == .paused { next = try await PagedStage.settled(&snapshots) }
        #expect(next.value?.items.map(\.id) == [10, 9, 8] && next.error == nil && next.fetch == .idle)
    }

    @Test(arguments: PagedVariation.all)
    func theEndOfTheRepositoryEndsObservation(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        stage.close()
        #expect(await snapshots.next(isolation: nil) == nil)
        await list.loadMore()
        #expect(stage.origin.tokens.count == 1)
        var late = try stage.pages(size: 7).observe().makeAsyncIterator()
        #expect(await late.next(isolation: nil) == nil)
    }

    @Test(arguments: PagedVariation.all, [ReadPolicy.cacheThenNetwork, .networkFirst, .networkOnly])
    func listMadeAfterCloseEndsWithClosedError(variation: PagedVariation, policy: ReadPolicy) async throws {
        let stage = PagedStage(variation)
        stage.close()
        let list = try stage.pages(policy: policy)
        for await _ in list.observe() {}
        await list.refresh()
        #expect(list.snapshot.fetch == .idle && list.snapshot.error?.code == .closed)
    }

    @Test(arguments: PagedVariation.all, [ReadPolicy.cacheThenNetwork, .networkFirst, .networkOnly])
    func listStartedOfflineLoadsWhenOnline(variation: PagedVariation, policy: ReadPolicy) async throws {
        let stage = PagedStage(variation)
        stage.connectivity.turn(online: false)
        let list = try stage.pages(policy: policy)
        var snapshots = list.observe().makeAsyncIterator()
        while try #require(await snapshots.next(isolation: nil)).fetch != .paused {}
        stage.connectivity.turn(online: true)
        while try #require(await snapshots.next(isolation: nil)).value?.items.map(\.id) != [10, 9, 8] {}
        #expect(list.error == nil)
    }

    @Test(arguments: PagedVariation.all)
    func equalQueriesShareOneList(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let (one, same, other) = (try stage.pages(), try stage.pages(), try stage.pages(size: 4))
        #expect(one === same && one !== other)
    }

    @Test(arguments: PagedVariation.all)
    func unreferencedListIsReleased(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        var list: PagedList<Model>? = try stage.pages()
        try await expectRelease(of: list) {
            var snapshots = try #require(list).observe().makeAsyncIterator()
            _ = try await PagedStage.settled(&snapshots)
            list = nil
        }
        let watched = stage.stored?.pagedLists.reader ?? stage.remote?.pagedLists.reader
        let isLeft = { watched?.cache.withLock { $0.entries.values.allSatisfy(\.watches.isEmpty) } == true }
        // An observer that finds the cache locked is removed a little later.
        await waitUntil(isLeft)
    }

    @Test(arguments: [true, false])
    func sourceWithoutPagesIsUnsupported(isStored: Bool) async {
        let source = RemoteSource<Model>(get: { Model(id: $0, name: "") })
        let list =
            isStored
            ? Repository(.models, in: MemoryEntityStore(), remote: source).pages(size: 3)
            : Repository(source: source).pages(size: 3)
        await list.refresh()
        #expect(list.error?.code == .unsupported)
    }
}
