import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStores

@testable import WharfRepository

/// An observer that stops while a new value is being sent.
struct LeavingTests {
    typealias Model = RepositoryLaws.Model

    /// An observer that stops and a writer that notifies take the same two locks in opposite
    /// orders. This must not deadlock.
    @Test func cancellingObserversDuringUpdatesDoesNotDeadlock() async {
        let clock = TestClock()
        let source = ScriptedSource<Model>(.models([Model(id: 1, name: "0")]), clock: clock.wall)
        let repository = Repository(source: source.source, configuration: .init(clock: clock.wall))
        _ = await repository.snapshot(id: 1)
        let teller = Task {
            var round = 0
            while !Task.isCancelled {
                round += 1
                clock.advance(by: .seconds(1))
                await repository.receive(Model(id: 1, name: "\(round)"))
                await Task.yield()
            }
            return round
        }
        for _ in 0..<500 {
            let readers = (0..<8).map { _ in
                Task {
                    for await _ in repository.observe(id: 1, policy: .cacheOnly) {}
                }
            }
            await Task.yield()
            for reader in readers { reader.cancel() }
            for reader in readers { await reader.value }
        }
        teller.cancel()
        let rounds = await teller.value
        #expect(await repository.snapshot(id: 1, policy: .cacheOnly).value?.name == "\(rounds)")
    }

    @Test func cancellingPagedListObserversDuringUpdatesDoesNotDeadlock() async {
        let repository = Repository(.models, in: MemoryEntityStore())
        let list = repository.pages(size: 3, policy: .cacheOnly)
        await list.refresh()
        let teller = Task {
            while !Task.isCancelled {
                list.change { _ in }
                await Task.yield()
            }
        }
        for _ in 0..<500 {
            let readers = (0..<8).map { _ in
                Task {
                    for await _ in list.observe() {}
                }
            }
            await Task.yield()
            for reader in readers { reader.cancel() }
            for reader in readers { await reader.value }
        }
        teller.cancel()
        await teller.value
        await waitUntil { list.looked == nil }
    }

    @Test func readAfterAnswerIsReportedSendsItsOwnRequest() async throws {
        let clock = TestClock()
        let source = ScriptedSource<Model>(.models([Model(id: 1, name: "0")]), clock: clock.wall)
        let repository = Repository(
            source: source.source, configuration: .init(policy: .networkOnly, clock: clock.wall))
        var snapshots = repository.observe(id: 1, policy: .cacheOnly).makeAsyncIterator()
        _ = await snapshots.next(isolation: nil)
        // The value is sent and the read begins on different threads. In each round the second read
        // could wrongly join the request of the first.
        for round in 1...2_000 {
            clock.advance(by: .seconds(1))
            let read = Task { await repository.snapshot(id: 1) }
            _ = try #require(await snapshots.next(isolation: nil))
            _ = await repository.snapshot(id: 1)
            _ = await read.value
            _ = try #require(await snapshots.next(isolation: nil))
            #expect(source.requests == 2 * round)
        }
    }

    @Test func cancelledLookServesNoWaitingObserver() async {
        let gates = [Gate(), Gate()]
        let looks = Mutex(0)
        let source = RemoteSource<Model> { _, _ in
            let number = looks.withLock { looks in
                defer { looks += 1 }
                return looks
            }
            // A gate would let the cancelled look through.
            await Task { await gates[number].pass() }.value
            if Task.isCancelled { return Snapshot(kept: nil, error: ReadFailure(.cancelled, message: "scripted")) }
            return Snapshot(kept: .init(value: Model(id: 1, name: "kept"), source: .httpCache, asOf: .distantPast))
        }
        let repository = Repository(source: source)
        let reader = Task { await repository.snapshot(id: 1, policy: .cacheOnly) }
        await gates[0].arrivals()
        reader.cancel()
        _ = await reader.value
        let first = Task {
            var snapshots = repository.observe(id: 1, policy: .cacheOnly).makeAsyncIterator()
            return await snapshots.next(isolation: nil)
        }
        await gates[1].arrivals()
        gates[0].open()
        await letOthersRun()
        gates[1].open()
        #expect(await first.value?.value?.name == "kept")
    }

    /// The refresh of the app is answered first, and makes the observer's own request unnecessary.
    @Test func leavingCancelsTheObserversOwnRequestAfterARefresh() async throws {
        let (asked, isCancelled) = (Gate(), Gate())
        let isFirst = Mutex(true)
        let source = RemoteSource<Model> { _, mode in
            if mode == .storedOnly { return Snapshot(kept: nil, error: ReadFailure(.nothingKept, message: "scripted")) }
            let isOwn = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isOwn {
                asked.open()
                // A gate lets a cancelled task through.
                await Gate().pass()
                isCancelled.open()
            }
            return Snapshot(kept: .init(value: Model(id: 1, name: "new"), source: .network, asOf: .distantPast))
        }
        let repository = Repository(.models, in: MemoryEntityStore(), remote: source)
        let reader = Task {
            for await _ in repository.observe(id: 1, policy: .standard) {}
        }
        await asked.pass()
        await repository.models.refreshObserved { _, _, _ in true }
        reader.cancel()
        await isCancelled.pass()
    }
}
