import Simulation
import Testing
import WharfPrimitives
import WharfRandom

@Suite struct MonitorTests {
    /// If a waiter were resumed under the lock, reading the state inside `enqueue` would deadlock.
    @Test func waiterIsResumedOutsideOfTheLock() async {
        let monitor = Monitor(0)
        let (executor, log) = (HookedExecutor(), Log<Int>())
        let ticket = monitor.withLock { _, effects in effects.reserve() }
        let waiter = Task(executorPreference: executor) { await monitor.wait(for: ticket) }
        executor.runJobs()
        executor.onEnqueue { log.note(monitor.read { $0 }) }
        monitor.withLock { state, effects in
            state = 1
            effects.resumeAll()
        }
        executor.runJobs()
        await waiter.value
        #expect(log.notes == [1])
    }

    @Test func cancelledWaiterIsResumedOutsideOfTheLock() async {
        let monitor = Monitor(0)
        let (executor, log) = (HookedExecutor(), Log<Int>())
        let ticket = monitor.withLock { _, effects in effects.reserve() }
        let waiter = Task(executorPreference: executor) {
            await monitor.waitUnlessCancelled(for: ticket) { state, effects in
                state = 2
                effects.perform { log.note(monitor.read { $0 }) }
            }
        }
        executor.runJobs()
        executor.onEnqueue { log.note(monitor.read { $0 + 1 }) }
        waiter.cancel()
        executor.runJobs()
        #expect(await !waiter.value)
        // The callback comes before the resumption.
        #expect(log.notes == [2, 3])
    }

    @Test func resumptionBeforeTheWaitIsStored() async {
        let monitor = Monitor(())
        let ticket = monitor.withLock { _, effects in
            let ticket = effects.reserve()
            effects.resumeAll()
            return ticket
        }
        await monitor.wait(for: ticket)
        #expect(monitor.waiting == 0)
    }

    @Test func cancellationBeforeTheWaitIsSeen() async {
        let monitor = Monitor(false)
        let ticket = monitor.withLock { _, effects in effects.reserve() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await monitor.waitUnlessCancelled(for: ticket) { wasCancelled, _ in wasCancelled = true }
        }
        #expect(await !task.value)
        #expect(monitor.read { $0 })
        // The next resumption finds no waiter.
        #expect(monitor.withLock { _, effects in !effects.resumeFirst() })
    }

    @Test func resumptionWinsOverALaterCancellation() throws {
        var seen: Set<Bool> = []
        try Exploration.exhaustive { simulation in
            let monitor = Monitor(0)
            let log = Log<Bool>()
            let waiter = simulation.task("waiter") {
                let ticket = monitor.withLock { _, effects in effects.reserve() }
                await simulation.step()
                log.note(await monitor.waitUnlessCancelled(for: ticket) { cancellations, _ in cancellations += 1 })
            }
            simulation.task("canceller") { waiter.cancel() }
            simulation.task("resumer") {
                if monitor.withLock({ _, effects in effects.resumeFirst() }) { return }
                // The resumption came before the waiter, or after its cancellation.
                await simulation.step()
                waiter.cancel()
            }
            return {
                seen.formUnion(log.notes)
                let cancellations = monitor.read { $0 }
                return log.notes.count == 1 && cancellations == (log.notes[0] ? 0 : 1)
                    ? nil : "found \(log.notes), \(cancellations) cancellations"
            }
        }
        #expect(seen == [true, false])
    }

    @Test func throwingChangePerformsItsEffects() throws {
        struct Broken: Error {}
        let monitor = Monitor(0)
        let log = Log<Int>()
        #expect(throws: Broken.self) {
            try monitor.withLock { _, effects throws(Broken) in
                effects.perform { log.note(1) }
                throw Broken()
            }
        }
        #expect(log.notes == [1])
    }

    @Test func conditionWakesAsSoonAsItHolds() throws {
        try Exploration.exhaustive { simulation in
            let monitor = Monitor(0)
            let log = Log<Int>()
            for bound in [2, 1] {
                simulation.task("reader \(bound)") {
                    await monitor.wait { $0 >= bound }
                    log.note(bound)
                }
            }
            simulation.task("writer") {
                for _ in 0..<2 {
                    monitor.withLock { state, _ in state += 1 }
                    await simulation.step()
                }
            }
            return { log.notes.sorted() == [1, 2] && monitor.waiting == 0 ? nil : "found \(log.notes)" }
        }
    }

    @Test func cancelledConditionIsForgotten() async {
        let monitor = Monitor(0)
        let task = Task { await monitor.waitUnlessCancelled { $0 == 1 } }
        while monitor.waiting == 0 { await Task.yield() }
        task.cancel()
        #expect(await !task.value)
        #expect(monitor.waiting == 0)
        #expect(await monitor.waitUnlessCancelled { $0 == 0 })
    }

    /// Random programs over several queues, against a model that is an array for each queue.
    @Test func queuesAreFIFOInRandomPrograms() throws {
        try Exploration.random(seeds: 1...300) { simulation in
            let monitor = Monitor(())
            let (resumed, expected) = (Log<Int>(), Log<Int>())
            let queues = [WaitQueue.main] + (0..<2).map { _ in monitor.withLock { _, effects in effects.makeQueue() } }
            let model = Monitor<[[Int]]>(queues.map { _ in [] })
            let tasks = (0..<12).map { number in
                simulation.task("\(number)") {
                    let queue = simulation.choose(from: queues.count)
                    let ticket = monitor.withLock { _, effects in effects.reserve(in: queues[queue]) }
                    model.withLock { model, _ in model[queue].append(number) }
                    if simulation.choose(from: 2) == 0 { await simulation.step() }
                    let isResumed = await monitor.waitUnlessCancelled(for: ticket) { _, _ in
                        model.withLock { model, _ in model[queue].removeAll { $0 == number } }
                    }
                    if isResumed { resumed.note(number) }
                }
            }
            simulation.task("canceller") {
                for task in tasks where simulation.choose(from: 3) == 0 {
                    task.cancel()
                    await simulation.step()
                }
            }
            simulation.task("resumer") {
                for _ in 0..<60 {
                    let queue = simulation.choose(from: queues.count)
                    let first = model.withLock { model, _ in model[queue].isEmpty ? nil : model[queue].removeFirst() }
                    if monitor.withLock({ _, effects in effects.resumeFirst(of: queues[queue]) }) != (first != nil) {
                        expected.note(-1)
                    }
                    if let first { expected.note(first) }
                    await simulation.step()
                }
                // Waiters that are left or come later end.
                for task in tasks { task.cancel() }
            }
            return {
                resumed.notes.sorted() == expected.notes.sorted() && monitor.waiting == 0
                    ? nil : "resumed \(resumed.notes), expected \(expected.notes)"
            }
        }
    }
}

@Suite struct CallbackTests {
    @Test func firstReplyCounts() async {
        let value = await callbackValue { reply in
            reply(1)
            reply(2)
        }
        #expect(value == 1)
    }

    @Test func replyMayComeFromAnotherTask() async {
        #expect(await callbackValue { reply in Task.detached { reply(5) } } == 5)
    }

    @Test func cancellationReachesTheOperationAndItsReplyIsAwaited() throws {
        try Exploration.exhaustive { simulation in
            let (wasAsked, log) = (Promise<Void>(), Log<String>())
            let caller = simulation.task("caller") {
                log.note(
                    await callbackValue { reply in
                        simulation.task("operation") {
                            await wasAsked.wait()
                            reply("ended early")
                        }
                    } onCancel: {
                        wasAsked.fulfil()
                    })
            }
            simulation.task("canceller") { caller.cancel() }
            return { log.notes == ["ended early"] ? nil : "found \(log.notes)" }
        }
    }
}
