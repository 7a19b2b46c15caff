import Testing
import WharfPresentation

@MainActor @Suite struct ListLoaderTests {
    /// Records requests, and answers when the test says so.
    private actor Service {
        private(set) var calls: [[Int]] = []
        private var answers: [CheckedContinuation<Void, Never>] = []

        func ask(_ ids: [Int]) async {
            calls.append(ids)
            await withCheckedContinuation { answers.append($0) }
        }

        /// Waits for the given number of calls, and answers the oldest one.
        func answer(call number: Int) async {
            while calls.count < number || answers.isEmpty { await Task.yield() }
            answers.removeFirst().resume()
        }
    }

    private let service = Service()

    private func loader(distance: Int = 3) -> ListLoader<Int> {
        ListLoader(
            loadMore: { [service] in await service.ask([$0]) }, prefetch: { [service] in await service.ask($0) },
            refresh: { [service] in await service.ask([]) }, distance: distance)
    }

    private let list = RowSource((0..<20).map { Film(id: $0, year: 1990 + $0) }).sections { $0.decade }

    private func at(_ section: Int, _ row: Int) -> ListPosition { ListPosition(section: section, row: row) }

    @Test func rowsAppearingDuringALoadCoalesceIntoTheNext() async {
        let loader = loader()
        loader.rowAppeared(at: at(0, 7), in: list)
        await service.answer(call: 1)
        loader.rowAppeared(at: at(0, 8), in: list)
        while await service.calls.count < 2 { await Task.yield() }
        for row in 0..<5 { loader.rowAppeared(at: at(1, row), in: list) }
        await service.answer(call: 2)
        await service.answer(call: 3)
        #expect(await service.calls == [[7], [8], [14]])
    }

    @Test func aNoticeThatAppearsLoadsNothing() async {
        let loader = loader()
        let noticed = list.notice(ListNotice(.stale, "Old"))
        loader.rowAppeared(at: at(0, 0), in: noticed)
        loader.rowAppeared(at: at(9, 9), in: noticed)
        for _ in 0..<20 { await Task.yield() }
        #expect(await service.calls.isEmpty)
        loader.prefetchRows(beyond: at(1, 9), in: list.notice(ListNotice(.stale, "Old")))
        await service.answer(call: 1)
        #expect(await service.calls == [[10, 11, 12]])
    }

    @Test func prefetchFollowsTheScrollDirection() async {
        let loader = loader()
        loader.prefetchRows(beyond: at(0, 8), in: list)
        await service.answer(call: 1)
        loader.prefetchRows(beyond: at(0, 7), in: list)
        await service.answer(call: 2)
        #expect(await service.calls == [[9, 10, 11], [6, 5, 4]])
    }

    @Test func waitingRowsAreRequestedOnceUnlessCancelled() async {
        let loader = loader()
        loader.prefetchRows(at: [at(0, 0), at(0, 1)], in: list)
        loader.prefetchRows(at: [at(0, 1), at(0, 2), at(0, 3)], in: list)
        loader.prefetchRows(at: [at(0, 3), at(0, 4), at(7, 7)], in: list)
        loader.cancelPrefetching(at: [at(0, 3)], in: list)
        await service.answer(call: 1)
        await service.answer(call: 2)
        for _ in 0..<20 { await Task.yield() }
        #expect(await service.calls == [[0, 1], [2, 4]])
    }

    @Test func concurrentRefreshesShareOneDespiteACancellation() async {
        let loader = loader()
        let first = Task { await loader.refresh() }
        let second = Task { await loader.refresh() }
        while await service.calls.isEmpty { await Task.yield() }
        first.cancel()
        await service.answer(call: 1)
        await first.value
        await second.value
        #expect(await service.calls == [[]])
        let third = Task { await loader.refresh() }
        await service.answer(call: 2)
        await third.value
        #expect(await service.calls == [[], []])
    }

    @Test func loaderWithoutClosuresLoadsNothing() async {
        let loader = ListLoader<Int>()
        loader.rowAppeared(at: at(0, 0), in: list)
        loader.prefetchRows(beyond: at(0, 0), in: list)
        await loader.refresh()
        #expect(!loader.canRefresh && !loader.prefetches)
    }
}
