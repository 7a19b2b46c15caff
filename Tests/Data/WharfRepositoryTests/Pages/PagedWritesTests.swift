import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStores

@testable import WharfRepository

/// Pending changes in paged lists.
struct PagedWritesTests {
    typealias Model = RepositoryLaws.Model

    /// A service of ten models whose changes pass a gate and are then accepted or refused.
    private struct Stage {
        let clock = TestClock()
        let store = MemoryEntityStore()
        let origin: PagedOrigin
        let gate = Gate()
        let repository: Repository<Model>

        init(refusing: Bool = false) {
            let (origin, gate, clock) = (PagedOrigin(.cursor, ids: 1...10, clock: clock.wall), gate, clock)
            self.origin = origin
            let source = origin.source.writing { change, _ in
                await gate.pass()
                if refusing {
                    let head = HTTPResponse(status: .forbidden)
                    return Snapshot(kept: nil, error: ReadFailure(.status, message: "403 Forbidden", response: head))
                }
                switch change {
                case .add(let model), .edit(let model, _, _):
                    origin.put(model)
                    return Snapshot(kept: .init(value: model, source: .network, asOf: clock.wall.now()))
                case .delete(let id, _):
                    origin.remove(id)
                    return Snapshot(kept: nil)
                }
            }
            repository = Repository(.models, in: store, remote: source, configuration: .init(clock: clock.wall))
        }

        /// Two pages of three models, and an observer of them.
        func loaded() async throws -> (PagedList<Model>, PagedStage.Iterator) {
            let list = repository.pages(size: 3)
            var snapshots = list.observe().makeAsyncIterator()
            _ = try await PagedStage.settled(&snapshots)
            await list.loadMore()
            clock.advance(by: .seconds(1))
            return (list, snapshots)
        }
    }

    private func next(
        _ snapshots: inout PagedStage.Iterator, where isIt: (Snapshot<PagedItems<Model>>) -> Bool
    ) async throws -> Snapshot<PagedItems<Model>> {
        while true {
            let next = try #require(await snapshots.next(isolation: nil))
            if isIt(next) { return next }
        }
    }

    private func names(_ snapshot: Snapshot<PagedItems<Model>>, _ id: Int) -> [String] {
        snapshot.value?.items.filter { $0.id == id }.map(\.name) ?? []
    }

    @Test(arguments: [false, true])
    func anEditShowsAtOnceOnItsPageAndIsTakenBackWhenRefused(refusing: Bool) async throws {
        let stage = Stage(refusing: refusing)
        defer { stage.gate.open() }
        var (list, snapshots) = try await stage.loaded()
        let edit = Task { [repository = stage.repository] in
            try await repository.edit(Model(id: 6, name: "edited"), .optimistic)
        }
        let early = try await next(&snapshots) { names($0, 6) == ["edited"] }
        #expect(early.kept?.isPending == true && early.value?.items.map(\.id) == [10, 9, 8, 7, 6, 5])
        stage.gate.open()
        _ = try await edit.value
        let late = try await next(&snapshots) { $0.kept?.isPending == false }
        #expect(names(late, 6) == [refusing ? "model 6" : "edited"])
        #expect(list.ids == [10, 9, 8, 7, 6, 5])
    }

    @Test(arguments: [false, true])
    func aDeletionLeavesItsPageAtOnceAndIsTakenBackWhenRefused(refusing: Bool) async throws {
        let stage = Stage(refusing: refusing)
        defer { stage.gate.open() }
        var (_, snapshots) = try await stage.loaded()
        let deletion = Task { [repository = stage.repository] in try await repository.delete(id: 6, .optimistic) }
        let early = try await next(&snapshots) { names($0, 6).isEmpty }
        #expect(early.kept?.isPending == true && early.value?.items.map(\.id) == [10, 9, 8, 7, 5])
        stage.gate.open()
        _ = try await deletion.value
        let late = try await next(&snapshots) { $0.kept?.isPending == false }
        #expect(names(late, 6) == (refusing ? ["model 6"] : []))
    }

    @Test func additionStandsOnFirstPageUntilServicePlacesIt() async throws {
        let stage = Stage()
        defer { stage.gate.open() }
        var (list, snapshots) = try await stage.loaded()
        let addition = Task { [repository = stage.repository] in
            try await repository.add(Model(id: 11, name: "added"), .optimistic)
        }
        let early = try await next(&snapshots) { names($0, 11) == ["added"] }
        #expect(early.kept?.isPending == true && early.value?.items.map(\.id) == [10, 9, 8, 11, 7, 6, 5])
        stage.gate.open()
        _ = try await addition.value
        let late = try await next(&snapshots) { $0.value?.items.first?.id == 11 }
        #expect(late.kept?.isPending == false && late.value?.items.map(\.id) == [11, 10, 9, 8, 7, 6])
        #expect(list.snapshot.value?.hasMore == true)
    }

    @Test func additionIsNotShownOnLaterPages() async throws {
        let stage = Stage()
        defer { stage.gate.open() }
        let list = stage.repository.pages(size: 3, keeping: 3)
        await list.refresh()
        await list.loadMore()
        #expect(list.ids == [7, 6, 5])
        let addition = Task { [repository = stage.repository] in
            try await repository.add(Model(id: 11, name: "added"), .optimistic)
        }
        await stage.gate.arrivals()
        await list.loadMore()
        #expect(list.ids == [4, 3, 2])
        stage.gate.open()
        _ = try await addition.value
    }

    @Test func aRefusedAdditionLeavesTheFirstPage() async throws {
        let stage = Stage(refusing: true)
        defer { stage.gate.open() }
        var (_, snapshots) = try await stage.loaded()
        let addition = Task { [repository = stage.repository] in
            try await repository.add(Model(id: 11, name: "added"), .optimistic)
        }
        _ = try await next(&snapshots) { names($0, 11) == ["added"] }
        stage.gate.open()
        _ = try await addition.value
        let late = try await next(&snapshots) { names($0, 11).isEmpty }
        #expect(late.value?.items.map(\.id) == [10, 9, 8, 7, 6, 5] && late.kept?.isPending == false)
    }

    @Test func additionStandsInOrderOfASortedQuery() async throws {
        let stage = Stage()
        defer { stage.gate.open() }
        let list = stage.repository.pages(of: EntityQuery().sorted(by: Model.byName, descending: true), size: 3)
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        stage.clock.advance(by: .seconds(1))
        let addition = Task { [repository = stage.repository] in
            try await repository.add(Model(id: 11, name: "model 99"), .optimistic)
        }
        let early = try await next(&snapshots) { names($0, 11) == ["model 99"] }
        // Sorted by name: "model 99" before "model 9", and that before "model 8" and "model 10".
        #expect(early.value?.items.map(\.id) == [11, 9, 8, 10])
        stage.gate.open()
        _ = try await addition.value
    }

    @Test func pageLoadedDuringAnEditShowsTheEdit() async throws {
        let stage = Stage()
        defer { stage.gate.open() }
        var (list, snapshots) = try await stage.loaded()
        _ = await stage.repository.snapshot(id: 3)
        let edit = Task { [repository = stage.repository] in
            try await repository.edit(Model(id: 3, name: "edited"), .optimistic)
        }
        await stage.gate.arrivals()
        await list.loadMore()
        #expect(names(list.snapshot, 3) == ["edited"] && list.snapshot.kept?.isPending == true)
        stage.gate.open()
        _ = try await edit.value
        let late = try await next(&snapshots) { $0.kept?.isPending == false && $0.value?.items.count == 9 }
        #expect(names(late, 3) == ["edited"])
    }

    @Test func observedPagesAreNotEvicted() async throws {
        let stage = Stage()
        let (list, snapshots) = try await stage.loaded()
        _ = await stage.repository.snapshot(id: 1)
        try await stage.repository.evict(EvictionLimits(count: 0, bytes: 0))
        #expect(list.ids == [10, 9, 8, 7, 6, 5])
        #expect(try await stage.store.rows(RowQuery(), of: nil, kind: "model/list").count == 2)
        #expect(await stage.repository.snapshot(id: 5, policy: .cacheOnly).value != nil)
        #expect(await stage.repository.snapshot(id: 1, policy: .cacheOnly).value == nil)
        withExtendedLifetime(snapshots) {}
    }

    @Test func observedPagesOfAStoreQueryAreNotEvicted() async throws {
        let store = MemoryEntityStore()
        let repository = Repository(.models, in: store)
        for id in 1...5 { await repository.receive(Model(id: id, name: "\(id)")) }
        let list = repository.pages(of: EntityQuery().sorted(by: Model.byName), size: 2)
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        try await repository.evict(EvictionLimits(count: 0))
        #expect(try await store.rows(RowQuery(), of: nil, kind: "model").map(\.key.id) == ["1", "2"])
    }

    @Test func pagesAreEvictedAfterTheirObserverEnds() async throws {
        let stage = Stage()
        let list = stage.repository.pages(size: 3)
        let reader = Task {
            for await _ in list.observe() {}
        }
        await waitUntil { !list.ids.isEmpty }
        reader.cancel()
        await reader.value
        await waitUntil { !list.isObserved }
        try await stage.repository.evict(EvictionLimits(count: 0))
        #expect(await stage.repository.snapshot(id: 10, policy: .cacheOnly).value == nil)
    }
}
