#if Server
public import ServiceLifecycle
internal import WharfCore
public import WharfOutbox
public import WharfStorage

/// An outbox as a service in a `ServiceGroup` of swift-service-lifecycle.
///
/// It delivers until the group shuts down gracefully. Then it is drained and closed.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [OutboxLifecycle(outbox), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// Services shut down from the last to the first. Put the outbox before the services that enqueue,
/// so that entries from their shutdown are delivered too.
public struct OutboxLifecycle: Service {
    private let outbox: OutboxEngine
    private let limit: Duration
    private let onDrained: @Sendable (DrainReport) -> Void

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - outbox: the outbox to run.
    ///   - limit: the limit for draining. The remaining entries are delivered after the next start.
    ///   - onDrained: called with the numbers of drained and remaining entries.
    public init(
        _ outbox: OutboxEngine, drainingWithin limit: Duration = .seconds(10),
        onDrained: @escaping @Sendable (DrainReport) -> Void = { _ in }
    ) {
        self.outbox = outbox
        self.limit = limit
        self.onDrained = onDrained
    }

    /// Runs until the outbox is closed. Cancellation closes it at once.
    ///
    /// - Throws: `StoreError` if the journal fails during draining. The outbox is closed
    ///   nevertheless.
    public func run() async throws {
        outbox.start()
        do {
            // It throws only if the task is cancelled. Then nothing is drained.
            try await gracefulShutdown()
            onDrained(try await outbox.drain(within: limit))
        } catch {
            await outbox.close()
            // A cancelled caller does not wait for deliveries, so a failure of draining is
            // irrelevant.
            if Task.isCancelled { return }
            throw error
        }
        await outbox.close()
    }
}
#endif
