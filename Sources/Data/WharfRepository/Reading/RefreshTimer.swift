internal import Synchronization
internal import WharfCore

/// The interval at which observed keys are refreshed.
struct RefreshTimer: Sendable {
    let interval: Duration
    let clock: any Clock<Duration>

    /// - Parameter interval: nil for never.
    init?(every interval: Duration?, on clock: any Clock<Duration>) {
        guard let interval else { return nil }
        self.interval = interval
        self.clock = clock
    }

    /// Waits for the interval; returns false if the task was cancelled.
    func pause() async -> Bool {
        do {
            // Without a minimum, an interval of 0 would keep a whole core busy.
            try await clock.sleep(for: max(interval, .milliseconds(1)))
            return true
        } catch {
            return false
        }
    }
}

extension ReadThrough {
    /// Starts the timer, if it is needed and does not run yet.
    func startTimer(_ timer: RefreshTimer) {
        // Two observers that come at once start one timer: the test and the mark are one step.
        guard cache.withLock({ $0.startTimer() }) else { return }
        let task = Task(executorPreference: executor) { [weak self] in
            while await timer.pause() {
                // It is weak between two rounds, so that a timer does not keep a released
                // repository alive.
                guard let self, await refreshOnTime() else { return }
            }
        }
        background.runTimer(task)
    }

    /// Refreshes once; returns false to end the timer. A later observer restarts it.
    private func refreshOnTime() async -> Bool {
        // The mark falls in the step that finds no observer. A later observer then starts the next
        // timer.
        guard cache.withLock({ $0.needsTimer() }) else { return false }
        await refreshObserved(isTimed: true) { _, _, _ in true }
        return true
    }
}

extension ModelCache {
    /// Returns whether the timer has to be started: it is needed and does not run yet.
    mutating func startTimer() -> Bool {
        guard !isTimed, needsTimer() else { return false }
        isTimed = true
        return true
    }

    /// Returns whether an observer's policy asks the network.
    ///
    /// If there is none, the timer is at its end.
    mutating func needsTimer() -> Bool {
        let isNeeded =
            !isClosed
            && entries.values.contains { entry in
                entry.watches.values.contains { $0.refreshMode(isPaused: entry.refresh.isPaused) != nil }
            }
        if !isNeeded { isTimed = false }
        return isNeeded
    }
}
