internal import WharfPrimitives

/// The delays before a store that failed is asked again: backoff without jitter.
struct StoreBackoff {
    private var failures = 0

    /// - Returns: false if the task is cancelled.
    mutating func wait(on timer: any Clock<Duration>) async -> Bool {
        failures += 1
        do { try await timer.sleep(for: Backoff.store.bound(afterFailures: failures)) } catch { return false }
        return true
    }
}
