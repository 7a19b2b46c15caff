internal import WharfPrimitives

/// The pauses after which a store that failed is asked again: backoff without jitter.
struct StorePauses {
    private var failures = 0

    /// - Returns: false if the task is cancelled.
    mutating func rest(on timer: any Clock<Duration>) async -> Bool {
        failures += 1
        do { try await timer.sleep(for: Backoff.store.bound(afterFailures: failures)) } catch { return false }
        return true
    }
}
