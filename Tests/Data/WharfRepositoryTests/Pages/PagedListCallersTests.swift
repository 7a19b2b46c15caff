import Testing
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRandom
import WharfRepository

/// A paged list with several callers at the same time.
struct PagedListCallersTests {
    typealias Model = RepositoryLaws.Model

    @Test(arguments: PagedVariation.all)
    func pageOvertakenByARefreshIsRequestedAgain(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        await list.refresh()
        let gate = Gate()
        stage.origin.hold(request: 1, at: gate)
        let late = Task { await list.loadMore() }
        await gate.arrivals()
        stage.clock.advance(by: .seconds(1))
        for id in 11...13 { stage.origin.put(Model(id: id, name: "new")) }
        await list.refresh()
        #expect(list.ids == [13, 12, 11])
        gate.open()
        await late.value
        // The page was requested again, to follow the new list.
        #expect(list.ids == [13, 12, 11, 10, 9, 8])
    }

    @Test(arguments: PagedVariation.all)
    func callersAtTheSameTimeShareOneRequest(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        await list.refresh()
        let (gate, crowd) = (Gate(), CallersOnOneActor())
        stage.origin.hold(request: 1, at: gate)
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await crowd.call { await list.loadMore() } } }
            await crowd.inside(20)
            await gate.arrivals()
            #expect(list.snapshot.value?.isLoadingMore == true)
            gate.open()
        }
        #expect(list.ids == [10, 9, 8, 7, 6, 5] && stage.origin.tokens.count == 2)
    }

    @Test(arguments: PagedVariation.all)
    func pageLoadsAgainAfterItsCallerIsCancelled(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        await list.refresh()
        let gate = Gate()
        stage.origin.hold(request: 1, at: gate)
        let leaving = Task { await list.loadMore() }
        await gate.arrivals()
        leaving.cancel()
        await leaving.value
        await list.loadMore()
        #expect(list.ids == [10, 9, 8, 7, 6, 5] && list.error == nil)
    }

    @Test(arguments: PagedVariation.all)
    func aSlowReaderGetsTheNewest(variation: PagedVariation) async throws {
        let stage = PagedStage(variation)
        let list = try stage.pages()
        var snapshots = list.observe().makeAsyncIterator()
        _ = try await PagedStage.settled(&snapshots)
        for _ in 0..<3 { await list.loadMore() }
        let next = try #require(await snapshots.next(isolation: nil))
        #expect(next.value?.items.count == 10 && next.value?.isLoadingMore == false)
        // Another observer begins with the known pages.
        var late = list.observe().makeAsyncIterator()
        #expect(await late.next(isolation: nil)?.value?.items.count == 10)
    }

    @Test(arguments: PagedVariation.all)
    func concurrentCallersEndWithTheListOfTheService(variation: PagedVariation) async throws {
        for seed in 0..<10 as Range<UInt64> {
            let stage = PagedStage(variation, count: 20)
            let list = try stage.pages()
            let observation = Task {
                for await snapshot in list.observe() {
                    let ids = snapshot.value?.items.map(\.id) ?? []
                    #expect(Set(ids).count == ids.count)
                }
            }
            await withTaskGroup { group in
                for caller in 0..<8 as Range<UInt64> {
                    group.addTask {
                        var random = SeededGenerator(seed: seed * 100 + caller)
                        for step in 0..<10 {
                            switch Int.random(in: 0..<6, using: &random) {
                            case 0: await list.refresh()
                            case 1:
                                let leaving = Task { await list.loadMore() }
                                await Task.yield()
                                leaving.cancel()
                            case 2: stage.origin.put(Model(id: 1_000 + Int(caller) * 10 + step, name: "new"))
                            case 3: stage.clock.advance(by: .seconds(1))
                            default: await list.loadMore()
                            }
                        }
                    }
                }
            }
            stage.clock.advance(by: .seconds(1))
            await list.refresh()
            await list.refresh()
            for _ in 0..<100 where list.snapshot.value?.hasMore == true { await list.loadMore() }
            #expect(list.ids == stage.origin.ids, "seed \(seed)")
            stage.close()
            await observation.value
        }
    }
}
