/// A FIFO mutex that is held across suspension points.
///
/// - ``withLock(_:)`` runs the body for every caller, because cancellation does not wake a waiter.
/// - ``withLockUnlessCancelled(_:)`` lets a waiter leave when its task is cancelled.
package final class AsyncMutex: Sendable {
    package typealias Reservation = AsyncSemaphore.Reservation

    // The mutex is a semaphore with one permit: a released permit passes to the first waiter, so a
    // later caller can't overtake.
    private let semaphore = AsyncSemaphore(permits: 1)

    package init() {}

    /// Runs the body while no other body runs, in the order of the calls.
    package func withLock<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await semaphore.acquire()
        // The permit is held here even if the task was cancelled while it waited, so it is released
        // also when the body throws.
        defer { semaphore.release() }
        return try await body()
    }

    /// Runs the body as ``withLock(_:)`` does, unless the task is cancelled first.
    ///
    /// - Returns: nil if the body did not run.
    package func withLockUnlessCancelled<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        // A cancelled waiter has no permit. A release here would let two bodies run at once.
        if case .cancelled = await semaphore.acquireUnlessCancelled() { return nil }
        defer { semaphore.release() }
        return try await body()
    }

    // MARK: Places

    /// Takes the last place in the queue without waiting. Call ``leave(_:)`` once for it.
    package func reserve() -> Reservation { semaphore.reserve() }

    /// Waits until all earlier places are left. Call it at most once per place.
    package func wait(for reservation: Reservation) async { await semaphore.wait(for: reservation) }

    /// Gives up the place, before or after its turn.
    package func leave(_ reservation: Reservation) { semaphore.leave(reservation) }
}
