#if canImport(Combine) || OpenCombine
public import WharfCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension SnapshotSequence {
    /// Returns a publisher of the snapshots, with values and errors together. It never fails.
    ///
    /// Each subscriber has its own iteration. It starts with the first demand, and takes only as
    /// many snapshots as are demanded. A slow subscriber gets the newest. The iteration ends when
    /// the subscription is cancelled.
    ///
    /// - Parameter isolation: the caller's isolation. A publisher made on the main actor delivers
    ///   there. One made elsewhere delivers on any thread; choose one by `receive(on:)`.
    public func publisher(isolation: isolated (any Actor)? = #isolation) -> AnyPublisher<Snapshot<Value>, Never> {
        PullPublisher(isOnMainActor: isolation is MainActor) {
            // Each subscriber has an iterator of its own. The pulling task alone uses it.
            var snapshots = makeAsyncIterator()
            return {
                guard let snapshot = await snapshots.next(isolation: #isolation) else {
                    return PullResult(completion: .finished)
                }
                return PullResult(value: snapshot)
            }
        }
        .eraseToAnyPublisher()
    }

    /// Returns a publisher of the values that completes with the first failure.
    ///
    /// Use it for pipelines that handle values and a failure separately.
    ///
    /// - If a refresh fails and a value is stored, the value comes first. The failure completes the
    ///   publisher right after it, without further demand.
    /// - A stored value that was delivered before is not delivered again with the failure.
    /// - An answer such as 404 fails without a value.
    ///
    /// For a stream that continues after failures use ``publisher(isolation:)``. Demand,
    /// cancellation and delivery are the same there.
    public func valuePublisher(isolation: isolated (any Actor)? = #isolation) -> AnyPublisher<Value, ReadFailure> {
        PullPublisher(isOnMainActor: isolation is MainActor) {
            var snapshots = makeAsyncIterator()
            var values = ValuesThenFailure<Value>()
            return {
                guard let snapshot = await snapshots.next(isolation: #isolation) else {
                    return PullResult(completion: .finished)
                }
                return values.take(snapshot)
            }
        }
        .eraseToAnyPublisher()
    }
}
#endif
