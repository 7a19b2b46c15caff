internal import WharfPrimitives

/// Lets other tasks run until `condition` holds, or they had so many chances.
///
/// For a look at what must not have happened, and for conformers that are wrong by taking two
/// steps: it puts what others do between two steps of this task. Never for what must happen: that
/// is awaited by ``waitUntil(_:)``, however long it takes.
///
/// Chances are turns, not time. On a busy machine each takes longer: with every eighth, a thread of
/// each priority had to get a processor. A look that comes too early finds nothing wrong, so a
/// correct conformer never fails by it.
package func letOthersRun(chances: Int = 200, until condition: () -> Bool = { false }) async {
    for chance in 1...chances * (MutantProof.effort ?? 1) {
        if condition() { return }
        if chance.isMultiple(of: 8) { await otherThreadsHadATurn() } else { await Task.yield() }
    }
}

/// Waits until a condition holds, or the task is cancelled.
///
/// There is no limit of time, as none is right on every machine: `scripts/run-tests` ends a run
/// that makes no progress.
package func waitUntil(_ condition: () async throws -> Bool) async rethrows {
    var pause = Duration.zero
    var turns = 0
    while try await !condition(), !Task.isCancelled {
        turns += 1
        pause = await giveWay(turns, pause)
    }
}

/// Yields at first, and then pauses: what takes longer is a socket, a file or another process, and
/// needs the processor.
///
/// Each pause is a tenth longer than the last, up to a second, so that a wait in vain uses next to
/// no processor time and is seen as a hang. No verdict depends on the length of a pause.
private func giveWay(_ turns: Int, _ pause: Duration) async -> Duration {
    // Under a scheduler of a test's own a pause would end on another thread.
    if turns < 1_000 || withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) != nil {
        await Task.yield()
        return pause
    }
    // It throws when the task is cancelled, which its caller sees.
    do { try await Task.sleep(for: pause) } catch {}
    return min(pause + pause / 10 + .milliseconds(1), .seconds(1))
}

/// Waits for what a correct conformer does, without a limit. Only a mutant that is to break this
/// law runs out of chances.
///
/// - Parameter chances: turns of other tasks, as in ``letOthersRun(chances:until:)``.
/// - Returns: whether it came true. False as well when the task is cancelled, as by a test's time
///   limit: the law then says what it was waiting for.
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

/// Returns when a task of each priority has run that was not there before.
///
/// Each priority has threads of its own, so the system has to give several of them a processor
/// meanwhile. A thread that it has taken the processor from is as near to its turn as these are.
/// Yielding alone may pass many times on one thread before another, in the midst of a job, goes on.
func otherThreadsHadATurn() async {
    // Under a scheduler of a test's own nothing runs on other threads, and it would not wait for
    // them.
    guard withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) == nil else { return await Task.yield() }
    for priority in [TaskPriority.high, .medium, .utility, .background] {
        let hasRun = Promise<Void>()
        // None awaits the task itself: that would raise its priority.
        Task.detached(priority: priority) { hasRun.fulfil() }
        await hasRun.wait()
    }
}
