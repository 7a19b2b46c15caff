#if ServiceLifecycle
public import ServiceLifecycle
public import WharfCore
public import WharfOutbox

/// An outbox in a `ServiceGroup` of swift-service-lifecycle: it delivers until the group shuts down
/// gracefully, is drained then, and closed.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [OutboxLifecycle(outbox), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// Services shut down from the last to the first: put it before those that enqueue, so that what
/// they say at their end goes out too.
public struct OutboxLifecycle: Service {
    private let outbox: OutboxEngine
    private let limit: Duration
    private let onDrained: @Sendable (DrainReport) -> Void

    /// - Parameters:
    ///   - limit: of the time that draining takes. What is left goes out when the outbox is opened
    ///     again.
    ///   - onDrained: what was drained, and what is left.
    public init(
        _ outbox: OutboxEngine, drainingWithin limit: Duration = .seconds(10),
        onDrained: @escaping @Sendable (DrainReport) -> Void = { _ in }
    ) {
        self.outbox = outbox
        self.limit = limit
        self.onDrained = onDrained
    }

    /// Returns when the outbox is closed. Cancelled, it is closed at once.
    ///
    /// - Throws: `StoreError` where the journal failed while it was drained; it is closed all the
    ///   same.
    public func run() async throws {
        outbox.start()
        do {
            try await gracefulShutdown()
            onDrained(try await outbox.drain(within: limit))
        } catch {
            await outbox.close()
            // Who cancels does not wait for anything to be delivered, whatever then fails.
            if Task.isCancelled { return }
            throw error
        }
        await outbox.close()
    }
}
#endif
