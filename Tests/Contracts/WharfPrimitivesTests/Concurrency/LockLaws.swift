import Simulation
import WharfPrimitives

/// A lock as its laws see it: the real ones, and mutants.
struct LockUnderTest: Sendable {
    var acquire: @Sendable () async -> Void
    /// False if the task was cancelled; then it does not hold the lock.
    var acquireUnlessCancelled: @Sendable () async -> Bool
    var release: @Sendable () -> Void

    /// With one permit, a mutex.
    static func semaphore(_ permits: Int = 1) -> LockUnderTest {
        let semaphore = AsyncSemaphore(permits: permits)
        return LockUnderTest {
            await semaphore.acquire()
        } acquireUnlessCancelled: {
            if case .cancelled = await semaphore.acquireUnlessCancelled() { false } else { true }
        } release: {
            semaphore.release()
        }
    }
}

/// The notes of the tasks in a lock's program.
enum LockNote: Sendable, Equatable {
    case asks(Int)
    case enters(Int)
    case leaves(Int)
    case wasCancelled(Int)
}

/// The laws of a mutex and of a semaphore. Each is a program for every interleaving.
enum LockLaws {
    /// At most `permits` tasks are inside, and they enter in the order in which they asked.
    static func excludesInOrder(
        tasks: Int = 3, permits: Int = 1, _ make: @escaping @Sendable () -> LockUnderTest
    )
        -> Exploration.Program
    {
        { simulation in
            let (lock, log) = (make(), Log<LockNote>())
            for task in 0..<tasks {
                simulation.task("task \(task)") {
                    log.note(.asks(task))
                    await lock.acquire()
                    log.note(.enters(task))
                    await simulation.step()
                    log.note(.leaves(task))
                    lock.release()
                }
            }
            return { violation(of: log.notes, permits: permits) }
        }
    }

    /// A cancelled waiter leaves without a permit, or enters; the lock is free at the end.
    static func survivesCancellation(
        permits: Int = 1, _ make: @escaping @Sendable () -> LockUnderTest
    ) -> Exploration.Program {
        { simulation in
            let (lock, log, ended) = (make(), Log<LockNote>(), Log<Int>())
            let tasks = (0..<3).map { task in
                simulation.task("task \(task)") {
                    log.note(.asks(task))
                    if await lock.acquireUnlessCancelled() {
                        log.note(.enters(task))
                        await simulation.step()
                        log.note(.leaves(task))
                        lock.release()
                    } else {
                        log.note(.wasCancelled(task))
                    }
                    ended.note(task)
                    guard ended.notes.count == 3 else { return }
                    // The last one takes all permits. It deadlocks if one was lost.
                    for _ in 0..<permits { await lock.acquire() }
                }
            }
            simulation.task("canceller") { tasks[1].cancel() }
            return {
                if log.notes.contains(where: { [.wasCancelled(0), .wasCancelled(2)].contains($0) }) {
                    return "a task that was not cancelled left: \(log.notes)"
                }
                return violation(of: log.notes, permits: permits)
            }
        }
    }

    private static func violation(of notes: [LockNote], permits: Int) -> String? {
        var (asked, inside): ([Int], Set<Int>) = ([], [])
        for note in notes {
            switch note {
            case .asks(let task): asked.append(task)
            case .wasCancelled(let task): asked.removeAll { $0 == task }
            case .leaves(let task): inside.remove(task)
            case .enters(let task):
                inside.insert(task)
                if inside.count > permits { return "\(inside.count) tasks are inside: \(notes)" }
                // A cancelled task that has not noted it yet may still be listed before this one.
                let isOvertaking = asked.prefix { $0 != task }.contains { !notes.contains(.wasCancelled($0)) }
                if isOvertaking, permits == 1 { return "task \(task) has overtaken: \(notes)" }
                asked.removeAll { $0 == task }
            }
        }
        return nil
    }
}
