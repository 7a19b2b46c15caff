internal import WharfPrimitives

/// The readers of a journal's news: for stores to hold and to tell.
public final class JournalSubscriptions: Sendable {
    private let news = StreamFanOut<Void>()

    public init() {}

    /// A subscription that has begun at return. After ``finish()`` one that has ended.
    public func subscribe() -> AsyncStream<Void> { news.subscribe(bufferingPolicy: .bufferingNewest(1)) }

    /// Whether there is no reader: then a store need not find out what others have committed.
    public var isEmpty: Bool { news.isEmpty }

    /// Something may be due now. To be called when the commit is there for every reader.
    public func tell() { news.yield(()) }

    /// Ends all subscriptions: the store is closed.
    public func finish() { news.finish() }
}
