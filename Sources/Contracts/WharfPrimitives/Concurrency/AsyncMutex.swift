/// A FIFO mutex that is held across suspension points.
///
/// - ``withLock(_:)`` runs the body for every caller, because cancellation does not wake a waiter.
/// - ``withLockUnlessCancelled(_:)`` lets a waiter leave when its task is cancelled.
package final class AsyncMutex: Sendable {
    package typealias Place = AsyncSemaphore.Place

    private let semaphore = AsyncSemaphore(permits: 1)

    package init() {}

    /// Runs the body while no other body runs, in the order of the calls.
    package func withLock<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await semaphore.acquire()
        defer { semaphore.release() }
        return try await body()
    }

    /// Runs the body as ``withLock(_:)`` does, unless the task is cancelled first.
    ///
    /// - Returns: nil if the body did not run.
    package func withLockUnlessCancelled<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        if case .cancelled = await semaphore.acquireUnlessCancelled() { return nil }
        defer { semaphore.release() }
        return try await body()
    }

    // MARK: Places

    /// Takes the last place in the queue without waiting. Call ``leave(_:)`` once for it.
    package func reserve() -> Place { semaphore.reserve() }

    /// Waits until all earlier places are left. Call it at most once per place.
    package func wait(for place: Place) async { await semaphore.wait(for: place) }

    /// Gives up the place, before or after its turn.
    package func leave(_ place: Place) { semaphore.leave(place) }
}
