import Simulation
import Testing
import WharfPrimitives

@Suite struct TaskWaitersTests {
    @Test func lastCallerThatLeavesCancelsTheTask() async throws {
        let waiters = TaskWaiters()
        let task = Task<Void, Never> { while !Task.isCancelled { await Task.yield() } }
        waiters.set(task)
        let ticket = try #require(waiters.join())
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await waiters.wait(for: ticket)
        }
        #expect(await !caller.value)
        await task.value
        #expect(waiters.join() == nil)
    }

    @Test func lastCallerThatLeavesWithoutWaitingCancelsTheTask() async throws {
        let waiters = TaskWaiters()
        let task = Task<Void, Never> { while !Task.isCancelled { await Task.yield() } }
        waiters.set(task)
        let (first, second) = (try #require(waiters.join()), try #require(waiters.join()))
        waiters.leave(first)
        waiters.leave(first)
        #expect(waiters.count == 1 && !task.isCancelled)
        waiters.leave(second)
        await task.value
        #expect(waiters.join() == nil)
    }

    @Test func callerResumedBeforeItWaitsContinues() async throws {
        let waiters = TaskWaiters()
        let ticket = try #require(waiters.join())
        waiters.resume()
        #expect(await waiters.wait(for: ticket))
        #expect(waiters.count == 0)
    }

    @Test func taskIsCancelledIffAllCallersHaveLeft() throws {
        var seen: Set<[Bool]> = []
        try Exploration.exhaustive { simulation in
            let (waiters, stop, log, wasCancelled) = (TaskWaiters(), Promise<Void>(), Log<Bool>(), Log<Bool>())
            waiters.set(
                simulation.task("task") {
                    wasCancelled.note(await stop.waitUnlessCancelled() == nil)
                    waiters.resume()
                })
            let callers = (0..<2).map { caller in
                let ticket = waiters.join()
                return simulation.task("caller \(caller)") {
                    if let ticket { log.note(await waiters.wait(for: ticket)) }
                }
            }
            for caller in callers { simulation.task("canceller") { caller.cancel() } }
            simulation.task("stopper") { stop.fulfil() }
            return {
                seen.insert(log.notes)
                // The task may have ended before the last caller left.
                let isWrong = log.notes.contains(true) && wasCancelled.notes == [true]
                return log.notes.count == 2 && !isWrong ? nil : "callers \(log.notes), task \(wasCancelled.notes)"
            }
        }
        #expect(seen == [[true, true], [true, false], [false, true], [false, false]])
    }
}
