internal import Synchronization
internal import WharfCore

/// When what is observed is asked for again.
struct RefreshTimer: Sendable {
    let interval: Duration
    let clock: any Clock<Duration>

    /// - Parameter interval: nil for never.
    init?(every interval: Duration?, on clock: any Clock<Duration>) {
        guard let interval else { return nil }
        self.interval = interval
        self.clock = clock
    }

    /// False when the task was cancelled.
    func pause() async -> Bool {
        do {
            // A task that only ever asks would take a whole core.
            try await clock.sleep(for: max(interval, .milliseconds(1)))
            return true
        } catch {
            return false
        }
    }
}

extension ReadThrough {
    /// Begins to ask by the timer, where nobody has yet.
    func startTimer(_ timer: RefreshTimer) {
        guard cache.withLock({ $0.startTimer() }) else { return }
        let task = Task(executorPreference: executor) { [weak self] in
            while await timer.pause() {
                guard let self, await refreshOnTime() else { return }
            }
        }
        background.runTimer(task)
    }

    /// False ends the timer: who observes after it begins it anew.
    private func refreshOnTime() async -> Bool {
        guard cache.withLock({ $0.needsTimer() }) else { return false }
        await refreshObserved { _, _, _ in true }
        return true
    }
}

extension ModelCache {
    /// - Returns: whether the timer is needed, and was not under way.
    mutating func startTimer() -> Bool {
        guard !isTimed, needsTimer() else { return false }
        isTimed = true
        return true
    }

    /// Whether anybody observes by a policy that asks the network; with nobody the timer is at its
    /// end.
    mutating func needsTimer() -> Bool {
        let isNeeded = !isClosed && entries.values.contains { $0.watches.values.contains { $0.refreshMode != nil } }
        if !isNeeded { isTimed = false }
        return isNeeded
    }
}
