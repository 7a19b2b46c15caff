import Simulation
import Testing
import WharfPrimitives

@Suite struct AsyncMutexTests {
    @Test func mutexExcludesAndKeepsTheOrderInEveryInterleaving() throws {
        try Exploration.exhaustive(LockLaws.excludesInOrder { .semaphore() })
    }

    @Test func cancelledWaiterLeavesTheMutexFreeInEveryInterleaving() throws {
        try Exploration.exhaustive(LockLaws.survivesCancellation { .semaphore() })
    }

    @Test func withLockRunsForACancelledWaiter() throws {
        try Exploration.exhaustive { simulation in
            let (mutex, log) = (AsyncMutex(), Log<Int>())
            let tasks = (0..<2).map { task in
                simulation.task("\(task)") {
                    await mutex.withLock {
                        await simulation.step()
                        log.note(task)
                    }
                }
            }
            simulation.task("canceller") { for task in tasks { task.cancel() } }
            return { log.notes.sorted() == [0, 1] ? nil : "found \(log.notes)" }
        }
    }

    @Test func withLockUnlessCancelledLeavesOrRuns() throws {
        var seen: Set<Bool> = []
        try Exploration.exhaustive { simulation in
            let (mutex, log) = (AsyncMutex(), Log<Bool>())
            simulation.task("holder") { await mutex.withLock { await simulation.step() } }
            let waiter = simulation.task("waiter") {
                log.note(await mutex.withLockUnlessCancelled { 7 } == 7)
                await mutex.withLock {}
            }
            simulation.task("canceller") { waiter.cancel() }
            return {
                seen.formUnion(log.notes)
                return log.notes.count == 1 ? nil : "found \(log.notes)"
            }
        }
        #expect(seen == [true, false])
    }

    /// A place is taken in one order and awaited in another, and one is given up before its turn.
    @Test func reservedPlacesKeepTheirOrderAndMayBeLeft() throws {
        try Exploration.exhaustive { simulation in
            let (mutex, log) = (AsyncMutex(), Log<Int>())
            let places = (0..<4).map { _ in mutex.reserve() }
            for task in [2, 0, 3] {
                simulation.task("\(task)") {
                    await mutex.wait(for: places[task])
                    log.note(task)
                    await simulation.step()
                    mutex.leave(places[task])
                }
            }
            simulation.task("leaver") { mutex.leave(places[1]) }
            return { log.notes == [0, 2, 3] ? nil : "found \(log.notes)" }
        }
    }

    @Test func throwingBodyReleasesTheMutex() async {
        struct Broken: Error {}
        let mutex = AsyncMutex()
        await #expect(throws: Broken.self) { try await mutex.withLock { throw Broken() } }
        #expect(await mutex.withLock { 1 } == 1)
    }
}

@Suite struct AsyncSemaphoreTests {
    @Test func semaphoreOfTwoAdmitsTwoInEveryInterleaving() throws {
        try Exploration.exhaustive(LockLaws.excludesInOrder(permits: 2) { .semaphore(2) })
    }

    @Test func cancellationLeaksNoPermitInEveryInterleaving() throws {
        try Exploration.exhaustive(LockLaws.survivesCancellation(permits: 2) { .semaphore(2) })
    }

    @Test func acquisitionReportsWhetherTheTaskWaited() async {
        let semaphore = AsyncSemaphore(permits: 1)
        #expect(await semaphore.acquireUnlessCancelled() == .immediate)
        let waiter = Task { await semaphore.acquireUnlessCancelled() }
        while semaphore.waiting == 0 { await Task.yield() }
        semaphore.release()
        #expect(await waiter.value == .afterWaiting)
    }

    @Test func cancelledTaskGetsNoFreePermit() async {
        let semaphore = AsyncSemaphore(permits: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await semaphore.acquireUnlessCancelled()
        }
        #expect(await task.value == .cancelled)
        #expect(await semaphore.acquireUnlessCancelled() == .immediate)
    }

    @Test func tenThousandCancelledWaitersLeaveNothingBehind() async {
        let semaphore = AsyncSemaphore(permits: 1)
        await semaphore.acquire()
        await withTaskGroup { group in
            for _ in 0..<10_000 { group.addTask { _ = await semaphore.acquireUnlessCancelled() } }
            while semaphore.waiting < 10_000 { await Task.yield() }
            group.cancelAll()
        }
        #expect(semaphore.waiting == 0)
        semaphore.release()
        #expect(await semaphore.acquireUnlessCancelled() == .immediate)
    }
}

@Suite struct LockMutantTests {
    @Test func lockWithoutExclusionIsCaught() {
        let found = counterexample(LockLaws.excludesInOrder { .withoutExclusion() })
        #expect(found?.failure.description.contains("are inside") == true)
    }

    @Test func bargingLockIsCaught() {
        let found = counterexample(LockLaws.excludesInOrder { .barging() })
        #expect(found?.failure.description.contains("has overtaken") == true)
    }

    @Test func lockThatEnqueuesInASecondStepIsCaught() {
        let found = counterexample { simulation in
            LockLaws.excludesInOrder { .withoutAtomicity(simulation) }(simulation)
        }
        guard case .deadlock? = found?.failure else {
            Issue.record("expected a deadlock, found \(String(describing: found))")
            return
        }
    }

    @Test func permitThatACancelledTaskKeepsIsCaught() {
        let found = counterexample(LockLaws.survivesCancellation { .leakingByCancellation() })
        guard case .deadlock? = found?.failure else {
            Issue.record("expected a deadlock, found \(String(describing: found))")
            return
        }
    }

    @Test func placeThatACancelledTaskKeepsIsCaught() {
        let found = counterexample(LockLaws.survivesCancellation { .keepingCancelledWaiters() })
        guard case .deadlock? = found?.failure else {
            Issue.record("expected a deadlock, found \(String(describing: found))")
            return
        }
    }
}
