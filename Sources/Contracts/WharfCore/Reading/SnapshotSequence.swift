/// A sequence of the snapshots of a read.
///
/// It does not fail: an error is part of a snapshot, and the sequence goes on. Each iteration is a
/// subscription of its own. A slow reader gets the newest snapshot and skips those before it.
public struct SnapshotSequence<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Snapshot<Value>
    public typealias Failure = Never

    private let make: @Sendable () -> AsyncIterator

    /// Creates a sequence.
    ///
    /// - Parameter make: subscribes. It is called once per iteration.
    public init(_ make: @escaping @Sendable () -> AsyncStream<Snapshot<Value>>) {
        self.make = {
            // Subscribed when the iteration begins, and not at the first `next`: snapshots in
            // between are not lost.
            var base = make().makeAsyncIterator()
            return AsyncIterator { actor in await base.next(isolation: actor) }
        }
    }

    fileprivate init(iterator make: @escaping @Sendable () -> AsyncIterator) {
        self.make = make
    }

    /// Reads the snapshots, and waits if there is no newer one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let advance: (isolated (any Actor)?) async -> Snapshot<Value>?

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Snapshot<Value>? {
            await advance(actor)
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { make() }

    /// Returns the same snapshots with transformed values; see ``Snapshot/map(_:)``.
    public func map<Other: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> Other
    ) -> SnapshotSequence<Other> {
        SnapshotSequence<Other>(iterator: { [make] in
            var base = make()
            return SnapshotSequence<Other>.AsyncIterator { actor in
                await base.next(isolation: actor)?.map(transform)
            }
        })
    }
}
