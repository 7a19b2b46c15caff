internal import Synchronization
internal import WharfCore
internal import WharfStorage

extension Analytics {
    /// Returns the number of events by their results, and the share of each sink.
    ///
    /// - Throws: ``AnalyticsError/Code/storeFailed``.
    public func counts() async throws(AnalyticsError) -> AnalyticsCounts {
        var counts = count.withLock { $0 }
        do throws(StoreError) {
            let stored = try await outbox.store.counts(of: account)
            let deadDropped = try await deadDropped()
            for destination in destinations {
                counts.add(stored, deadDropped: deadDropped[destination.name] ?? 0, of: destination.name)
            }
            return counts
        } catch {
            throw AnalyticsError(
                .storeFailed, message: "the outbox could not count its events: \(error)", cause: error)
        }
    }
}
