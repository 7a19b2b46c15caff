internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
public import WharfStorage

extension Analytics {
    /// Sends the waiting events, without waiting for batches to fill.
    ///
    /// Call it before the app is suspended, or in a test. Posted events are stored first. Then the
    /// outbox is drained, with its other entries.
    ///
    /// - Parameter limit: the time that it may take; nil for as long as something is due.
    /// - Returns: the numbers of delivered and remaining entries.
    /// - Throws: ``AnalyticsError/Code/storeFailed``.
    @discardableResult
    public func flush(within limit: Duration? = nil) async throws(AnalyticsError) -> DrainReport {
        // An event that was posted before is in the running commit or in the next one, so both are
        // awaited.
        for _ in 0..<2 { await queue.withLock { $0.endOfCommit() }?.wait() }
        do throws(StoreError) {
            return try await outbox.drain(within: limit)
        } catch {
            throw AnalyticsError(
                .storeFailed, message: "the outbox could not be drained: \(error); the waiting events are sent later",
                cause: error)
        }
    }
}
