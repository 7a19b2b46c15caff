internal import WharfPrimitives

/// Lets other tasks run until `condition` holds or their chances are used up.
///
/// Use it before a check that an event did not happen. Mutants use it to run other tasks between
/// their two steps. Never use it for an event that must happen: ``waitUntil(_:)`` waits for that
/// without a limit.
///
/// Chances are turns, not time. On a busy machine each takes longer: in every eighth one, a thread
/// of each priority has to get a processor. A check that runs too early finds nothing wrong, so a
/// correct conformer never fails by it.
package func letOthersRun(chances: Int = 200, until condition: () -> Bool = { false }) async {
    for chance in 1...chances * (MutantProof.effort ?? 1) {
        if condition() { return }
        // Yielding alone may give the turn to no other thread. A full turn of all priorities costs
        // more, so only every eighth time.
        if chance.isMultiple(of: 8) { await otherThreadsHadATurn() } else { await Task.yield() }
    }
}

/// Waits until a condition holds or the task is cancelled.
///
/// There is no time limit, as none is right on every machine. `scripts/run-tests` ends a run that
/// makes no progress.
package func waitUntil(_ condition: () async throws -> Bool) async rethrows {
    var pause = Duration.zero
    var turns = 0
    while try await !condition(), !Task.isCancelled {
        turns += 1
        pause = await giveWay(turns, pause)
    }
}

/// Yields at first, and then pauses. A longer wait is for a socket, a file or another process,
/// which need the processor.
///
/// Each pause is a tenth longer than the one before, up to a second. So an endless wait uses next
/// to no processor time and is recognised as a hang. No verdict depends on the length of a pause.
private func giveWay(_ turns: Int, _ pause: Duration) async -> Duration {
    // Under a test's own scheduler a pause would end on another thread.
    if turns < 1_000 || withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) != nil {
        await Task.yield()
        return pause
    }
    // It throws if the task is cancelled, which the caller notices.
    do { try await Task.sleep(for: pause) } catch {}
    return min(pause + pause / 10 + .milliseconds(1), .seconds(1))
}

/// Waits for an event that a correct conformer causes, without a limit. Only a mutant that is to
/// break this law runs out of chances.
///
/// - Parameter chances: turns of other tasks, as in ``letOthersRun(chances:until:)``.
/// - Returns: whether the condition came true. It is also false if the task is cancelled, as by a
///   test's time limit. The law then reports the event that it waited for.
package func comesTrue(chances: Int = 2_000, _ isSo: () async throws -> Bool) async rethrows -> Bool {
    var pause = Duration.zero
    var turns = 0
    while try await !isSo() {
        turns += 1
        if Task.isCancelled { return false }
        if let effort = MutantProof.effort {
            if turns >= chances * effort { return false }
            if turns.isMultiple(of: 8) { await otherThreadsHadATurn() } else { await Task.yield() }
        } else {
            pause = await giveWay(turns, pause)
        }
    }
    return true
}

/// Returns after a new task of each priority has run.
///
/// Each priority has threads of its own, so the system has to run several of them meanwhile. A
/// preempted thread is as close to its next turn as these are. Yielding alone may return many times
/// on one thread before another thread continues in the middle of a job.
func otherThreadsHadATurn() async {
    // Under a test's own scheduler nothing runs on other threads, and the scheduler would not wait
    // for them.
    guard withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) == nil else { return await Task.yield() }
    for priority in [TaskPriority.high, .medium, .utility, .background] {
        let hasRun = Promise<Void>()
        // Awaiting the task itself would raise its priority.
        Task.detached(priority: priority) { hasRun.fulfil() }
        await hasRun.wait()
    }
}
