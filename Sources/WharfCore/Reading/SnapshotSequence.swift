/// Snapshots as they come. It does not fail: an error is part of a snapshot, so the sequence lives through it.
///
/// Each iteration is a subscription of its own. A slow reader gets the newest snapshot and skips what it missed.
public struct SnapshotSequence<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Snapshot<Value>
    public typealias Failure = Never

    private let make: @Sendable () -> AsyncStream<Snapshot<Value>>

    /// - Parameter make: subscribes; called once for each iteration.
    public init(_ make: @escaping @Sendable () -> AsyncStream<Snapshot<Value>>) {
        self.make = make
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<Snapshot<Value>>.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Snapshot<Value>? {
            await base.next(isolation: actor)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: make().makeAsyncIterator()) }
}
