/// Lets other tasks run until `condition` holds, or they had so many chances.
///
/// For a look at what must not have happened, and for conformers that are wrong by taking two steps: it puts what others do
/// between two steps of this task. Never for what must happen: that is awaited by ``waitUntil(_:)``, however long it takes.
///
/// Chances are turns, not time. On a busy machine each takes longer: with every eighth, a thread of each priority had to get a
/// processor. A look that comes too early finds nothing wrong, so a correct conformer never fails by it.
package func letOthersRun(chances: Int = 200, until condition: () -> Bool = { false }) async {
    for chance in 1...chances * (MutantProof.effort ?? 1) {
        if condition() { return }
        if chance.isMultiple(of: 8) { await otherThreadsHadATurn() } else { await Task.yield() }
    }
}

/// Lets other tasks run until it is so: for what must come.
///
/// There is no limit, for no limit is right on every machine. A cancelled task, as by a test's time limit, waits no longer.
package func waitUntil(_ isSo: () async throws -> Bool) async rethrows {
    var pause = Duration.zero
    var turns = 0
    while try await !isSo(), !Task.isCancelled {
        turns += 1
        pause = await giveWay(turns, pause)
    }
}

/// Yields at first, and then pauses, for longer each time: what takes longer is a socket, a file or another process, which a task
/// that spins keeps from a processor. Nothing depends on how long the pauses are.
private func giveWay(_ turns: Int, _ pause: Duration) async -> Duration {
    // Under a scheduler of a test's own a pause would end on another thread.
    if turns < 1_000 || withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) != nil {
        await Task.yield()
        return pause
    }
    // It throws when the task is cancelled, which its caller sees.
    do { try await Task.sleep(for: pause) } catch {}
    return min(pause + .milliseconds(1), .milliseconds(20))
}

/// Waits for what a correct conformer does, without a limit. Only a mutant that is to break this law runs out of chances.
///
/// - Parameter chances: turns of other tasks, as in ``letOthersRun(chances:until:)``.
/// - Returns: whether it came true. False as well when the task is cancelled, as by a test's time limit: the law then says what
///   it was waiting for.
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
/// Each priority has threads of its own, so the system has to give several of them a processor meanwhile. A thread that it has
/// taken the processor from is as near to its turn as these are. Yielding alone may pass many times on one thread before another,
/// in the midst of a job, goes on.
func otherThreadsHadATurn() async {
    // Under a scheduler of a test's own nothing runs on other threads, and it would not wait for them.
    guard withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor }) == nil else { return await Task.yield() }
    for priority in [TaskPriority.high, .medium, .utility, .background] {
        await withCheckedContinuation { continuation in
            // None awaits the task itself: that would raise its priority.
            Task.detached(priority: priority) { continuation.resume() }
        }
    }
}
