import Simulation
import WharfPrimitives

/// Semaphores with one defect each.
extension LockUnderTest {
    /// Lets every task in.
    static func withoutExclusion() -> LockUnderTest {
        LockUnderTest {
        } acquireUnlessCancelled: {
            true
        } release: {
        }
    }

    /// A released permit is free until the waiter runs, so a task that comes later overtakes it.
    static func barging() -> LockUnderTest {
        let monitor = Monitor(1)
        let acquire = { @Sendable () async in
            while true {
                let ticket = monitor.withLock { free, effects -> WaitTicket? in
                    if free == 0 { return effects.reserve() }
                    free -= 1
                    return nil
                }
                guard let ticket else { return }
                await monitor.wait(for: ticket)
            }
        }
        return LockUnderTest(acquire: acquire) {
            await acquire()
            return true
        } release: {
            monitor.withLock { free, effects in
                free += 1
                effects.resumeFirst()
            }
        }
    }

    /// Checks for a free permit, and enqueues in a second step.
    static func withoutAtomicity(_ simulation: Simulation) -> LockUnderTest {
        let monitor = Monitor(1)
        let acquire = { @Sendable () async in
            let isFree = monitor.withLock { free, _ in
                defer { free = 0 }
                return free == 1
            }
            if isFree { return }
            await simulation.step()
            await monitor.wait(for: monitor.withLock { _, effects in effects.reserve() })
        }
        return LockUnderTest(acquire: acquire) {
            await acquire()
            return true
        } release: {
            monitor.withLock { free, effects in if !effects.resumeFirst() { free = 1 } }
        }
    }

    /// A waiter that was given a permit and is cancelled before it runs leaves with the permit.
    static func leakingByCancellation() -> LockUnderTest {
        let semaphore = AsyncSemaphore(permits: 1)
        return LockUnderTest {
            await semaphore.acquire()
        } acquireUnlessCancelled: {
            if case .cancelled = await semaphore.acquireUnlessCancelled() { return false }
            return !Task.isCancelled
        } release: {
            semaphore.release()
        }
    }

    /// A cancelled waiter keeps its place, and is given a permit that it never releases.
    static func keepingCancelledWaiters() -> LockUnderTest {
        let monitor = Monitor(1)
        let reserve = { @Sendable () -> WaitTicket? in
            monitor.withLock { free, effects in
                if free == 0 { return effects.reserve() }
                free -= 1
                return nil
            }
        }
        return LockUnderTest {
            if let ticket = reserve() { await monitor.wait(for: ticket) }
        } acquireUnlessCancelled: {
            guard let ticket = reserve() else { return true }
            return await monitor.waitUnlessCancelled(for: ticket) { _, effects in _ = effects.reserve() }
        } release: {
            monitor.withLock { free, effects in if !effects.resumeFirst() { free += 1 } }
        }
    }
}
