internal import WharfPrimitives

/// The readers of a journal's news. A store holds one and reports its commits to it.
public final class JournalSubscriptions: Sendable {
    private let notifications = StreamFanOut<Void>()

    /// Creates an object without readers.
    public init() {}

    /// Returns a subscription that is active at once; after ``finish()``, an ended one.
    public func subscribe() -> AsyncStream<Void> { notifications.subscribe(bufferingPolicy: .bufferingNewest(1)) }

    /// Whether there are no readers. A store then need not look for commits of others.
    public var isEmpty: Bool { notifications.isEmpty }

    /// Reports that a lane may be due now.
    ///
    /// Call it after the commit is visible to every reader.
    public func tell() { notifications.yield(()) }

    /// Ends all subscriptions, because the store is closed.
    public func finish() { notifications.finish() }
}
