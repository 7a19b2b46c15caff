import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStorage
import WharfStores

/// The behaviour that a store adds to paged lists.
struct StoredPagesTests {
    typealias Model = RepositoryLaws.Model

    private func stage(_ kind: PagedOrigin.Kind, lifetime: Duration = .seconds(60)) -> PagedStage {
        PagedStage(.init(isStored: true, kind: kind), lifetime: lifetime)
    }

    @Test(arguments: PagedOrigin.Kind.allCases)
    func pagesComeBackAfterARestartWithTheirAgeAndTheError(kind: PagedOrigin.Kind) async throws {
        let stage = stage(kind)
        let list = try stage.pages()
        await list.refresh()
        await list.loadMore()
        let asOf = stage.clock.wall.now()
        stage.clock.advance(by: .seconds(3_600))
        stage.origin.fail(PagedStage.unreachable)
        let next = Repository(
            .models, in: stage.store, remote: stage.origin.source, configuration: .init(clock: stage.clock.wall))
        let kept = next.pages(size: 3)
        var snapshots = kept.observe().makeAsyncIterator()
        let first = try await PagedStage.settled(&snapshots)
        #expect(first.value?.items.map(\.id) == [10, 9, 8] && first.kept?.asOf == asOf)
        #expect(first.error == PagedStage.unreachable && first.kept?.isFresh(at: stage.clock.wall.now()) == false)
        await kept.loadMore()
        #expect(kept.ids == [10, 9, 8, 7, 6, 5] && kept.error == PagedStage.unreachable)
        await kept.loadMore()
        // This page was not loaded before.
        #expect(kept.ids == [10, 9, 8, 7, 6, 5] && kept.snapshot.value?.hasMore == true)
    }

    @Test func freshStoredPagesSendNoRequest() async throws {
        let stage = stage(.cursor)
        let list = try stage.pages()
        await list.refresh()
        await list.loadMore()
        let next = Repository(
            .models, in: stage.store, remote: stage.origin.source, configuration: .init(clock: stage.clock.wall))
        let kept = next.pages(size: 3, policy: .standard)
        var snapshots = kept.observe().makeAsyncIterator()
        #expect(try await PagedStage.settled(&snapshots).value?.items.map(\.id) == [10, 9, 8])
        await kept.loadMore()
        #expect(kept.ids == [10, 9, 8, 7, 6, 5])
        #expect(stage.origin.tokens.count == 2)
    }

    @Test func aKeptPageDoesNotFollowOneThatIsNewerThanItself() async throws {
        let stage = stage(.offset)
        let list = try stage.pages()
        await list.refresh()
        await list.loadMore()
        stage.clock.advance(by: .seconds(1))
        stage.origin.put(Model(id: 11, name: "new"))
        let next = Repository(
            .models, in: stage.store, remote: stage.origin.source, configuration: .init(clock: stage.clock.wall))
        let fresh = next.pages(size: 3)
        await fresh.refresh()
        await fresh.loadMore()
        // The stored second page begins with 7, and 8 was on the first.
        #expect(fresh.ids == [11, 10, 9, 8, 7, 6])
    }

    @Test(arguments: PagedOrigin.Kind.allCases)
    func aNewerSingleReadShowsInTheList(kind: PagedOrigin.Kind) async throws {
        let stage = stage(kind)
        let list = try stage.pages()
        await list.refresh()
        await list.loadMore()
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        while list.snapshot.fetch != .idle { _ = await snapshots.next(isolation: nil) }
        let newer = Model(id: 6, name: "newer")
        stage.origin.put(newer)
        stage.clock.advance(by: .seconds(1))
        _ = await stage.stored?.snapshot(id: 6, policy: .networkFirst)
        var reported = try await PagedStage.settled(&snapshots)
        while reported.value?.items.first(where: { $0.id == 6 }) != newer {
            reported = try await PagedStage.settled(&snapshots)
        }
        #expect(reported.value?.items.map(\.id) == [10, 9, 8, 7, 6, 5])
    }

    @Test func pageServesSingleReadsOfItsModels() async throws {
        let stage = stage(.offset)
        await (try stage.pages()).refresh()
        #expect(await stage.stored?.snapshot(id: 9, policy: .cacheOnly).value?.name == "model 9")
    }

    @Test func aNewerSingleReadShowsInTheListWhileItIsRefreshed() async throws {
        let stage = stage(.offset)
        let list = try stage.pages()
        await list.refresh()
        await list.loadMore()
        let gate = Gate()
        stage.origin.hold(request: 3, at: gate)
        stage.clock.advance(by: .seconds(1))
        var snapshots = list.observe().makeAsyncIterator()
        let refresh = Task { await list.refresh() }
        await gate.arrivals()
        stage.clock.advance(by: .seconds(1))
        stage.origin.put(Model(id: 9, name: "newer"))
        _ = await stage.stored?.snapshot(id: 9, policy: .networkFirst)
        var reported = try #require(await snapshots.next(isolation: nil))
        while reported.value?.items.first(where: { $0.id == 9 })?.name != "newer" {
            reported = try #require(await snapshots.next(isolation: nil))
        }
        #expect(reported.fetch == .refreshing && reported.value?.items.map(\.id) == [10, 9, 8, 7, 6, 5])
        gate.open()
        await refresh.value
    }

    @Test func deletedModelLeavesTheList() async throws {
        let stage = stage(.cursor)
        let list = try stage.pages()
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        stage.origin.remove(9)
        _ = await stage.stored?.snapshot(id: 9, policy: .networkFirst)
        var reported = try await PagedStage.settled(&snapshots)
        while reported.value?.items.count == 3 { reported = try await PagedStage.settled(&snapshots) }
        #expect(reported.value?.items.map(\.id) == [10, 8] && reported.value?.hasMore == true)
    }

    @Test func purgeEmptiesTheList() async throws {
        let stage = stage(.cursor)
        let list = try stage.pages()
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        try await stage.store.removeAll(of: nil)
        var reported = try await PagedStage.settled(&snapshots)
        while reported.value?.items.isEmpty == false { reported = try await PagedStage.settled(&snapshots) }
        #expect(list.ids.isEmpty)
    }

    @Test(arguments: [0, 1, 2])
    func invalidationReloadsTheObservedPages(way: Int) async throws {
        let stage = stage(.cursor)
        let list = try stage.pages()
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        await list.loadMore()
        stage.origin.put(Model(id: 11, name: "new"))
        stage.clock.advance(by: .seconds(1))
        let stored = try #require(stage.stored)
        switch way {
        case 0: try await stored.invalidate(id: 6)
        case 1: try await stored.invalidateLists()
        default: try await stored.invalidate(where: Model.byName == "model 6")
        }
        #expect(list.ids == [11, 10, 9, 8, 7, 6] && stage.origin.tokens.count == 4)
        try await stored.invalidate(id: 1)
        #expect(stage.origin.tokens.count == 4)
    }

    @Test func refreshObservedRequestsStalePagesOnly() async throws {
        let stage = stage(.cursor)
        let list = try stage.pages()
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        await stage.stored?.refreshObserved()
        #expect(stage.origin.tokens.count == 1)
        stage.clock.advance(by: .seconds(3_600))
        await stage.stored?.refreshObserved()
        #expect(stage.origin.tokens.count == 2)
    }

    // MARK: The store alone

    private func local(_ count: Int) async throws -> (MemoryEntityStore, Repository<Model>) {
        let store = MemoryEntityStore()
        for id in 1...count { try await put(Model(id: id, name: "name \(100 + id)"), store) }
        return (store, Repository(.models, in: store))
    }

    private func put(_ model: Model, _ store: MemoryEntityStore) async throws {
        let row = try EntityKind.models.row(model, of: nil, asOf: WallTime(secondsSince1970: 1), staleAt: nil)
        try await store.commit([.put(row)])
    }

    @Test func withoutARemoteAListPagesThroughTheStore() async throws {
        let (_, repository) = try await local(10)
        let list = repository.pages(of: EntityQuery().sorted(by: Model.byName, descending: true), size: 4)
        await list.loadMore()
        #expect(list.ids == [10, 9, 8, 7])
        await list.loadMore()
        await list.loadMore()
        #expect(list.ids == Array((1...10).reversed()) && list.snapshot.value?.hasMore == false)
        #expect(list.snapshot.kept?.source == .store)
    }

    @Test func pageOfMaximumSizeLoads() async throws {
        let list = Repository(.models, in: MemoryEntityStore()).pages(size: .max)
        var snapshots = list.observe().makeAsyncIterator()
        #expect(try await PagedStage.settled(&snapshots).value?.items.isEmpty == true)
    }

    @Test func theFirstPageOfTheStoreIsOneQuery() async throws {
        let store = CountingStore()
        for id in 1...50 {
            let model = Model(id: id, name: "\(id)")
            try await store.commit([
                .put(try EntityKind.models.row(model, of: nil, asOf: .init(secondsSince1970: 1), staleAt: nil))
            ])
        }
        let list = Repository(.models, in: store).pages(size: 5)
        var snapshots = list.observe().makeAsyncIterator()
        #expect(try await PagedStage.settled(&snapshots).value?.items.count == 5)
        #expect(store.reads == 1)
        await list.loadMore()
        await list.loadMore()
        #expect(list.ids.count == 15 && store.reads == 3)
    }

    @Test func limitOfTheQueryEndsTheList() async throws {
        let (_, repository) = try await local(10)
        let list = repository.pages(of: EntityQuery().sorted(by: Model.byName).limit(6), size: 4)
        for _ in 0..<3 { await list.loadMore() }
        #expect(list.ids == [1, 2, 3, 4, 5, 6] && list.snapshot.value?.hasMore == false)
    }

    @Test func storeListFollowsCommitsAndLosesNoModel() async throws {
        let (store, repository) = try await local(6)
        let list = repository.pages(of: EntityQuery().sorted(by: Model.byName), size: 2)
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        await list.loadMore()
        #expect(list.ids == [1, 2, 3, 4])
        // The new model sorts between the first and the second. It moves one model from each page
        // to the next.
        try await put(Model(id: 7, name: "name 101a"), store)
        var reported = try await PagedStage.settled(&snapshots)
        while reported.value?.items.map(\.id) != [1, 7, 2, 3] { reported = try await PagedStage.settled(&snapshots) }
        await list.loadMore()
        #expect(list.ids == [1, 7, 2, 3, 4, 5])
        try await store.commit([.remove(EntityKind.models.key(2, of: nil))])
        while reported.value?.items.map(\.id) != [1, 7, 3, 4, 5, 6] {
            reported = try await PagedStage.settled(&snapshots)
        }
    }
}
