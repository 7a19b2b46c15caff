internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The revalidations that run after their stale responses were served (RFC 5861 §3).
///
/// Each key has at most one (``CollapsedRequests``), and there are at most ``limit`` in all. A read
/// that may not start one serves the stale response all the same, and a later read starts it.
final class BackgroundRevalidations: Sendable {
    /// The number of concurrent revalidations. A slow origin would otherwise collect one task and
    /// one connection for each stale key.
    static let limit = 16

    // Invariant: the number of tasks that run, at most `limit`.
    private let running = Mutex(0)
    private let tasks = WaitGroup()

    /// Starts a revalidation, unless a request of its key is in flight or the limit is reached.
    ///
    /// - Parameter lead: returns nil if a request of the key is in flight.
    func start(
        leading lead: () -> CollapsedRequests.Leader?,
        _ work: @escaping @Sendable (CollapsedRequests.Leader) async -> Void
    ) {
        let mayStart = running.withLock { running in
            guard running < Self.limit else { return false }
            running += 1
            return true
        }
        guard mayStart else { return }
        guard let leader = lead() else { return running.withLock { $0 -= 1 } }
        tasks.enter()
        // Low priority: a reader has its answer, and no caller waits for this one.
        Task(priority: .utility) { [self] in
            await work(leader)
            running.withLock { $0 -= 1 }
            tasks.leave()
        }
    }

    /// Waits until no revalidation runs.
    func wait() async { await tasks.wait() }
}
