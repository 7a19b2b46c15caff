#if canImport(Combine) || OpenCombine
public import WharfCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension SnapshotSequence {
    /// The snapshots as a publisher: value and error together, through failures.
    ///
    /// Each subscriber has an iteration of its own. It begins with the first demand, takes a
    /// snapshot for each value that is asked for and no more (a slow subscriber gets the newest),
    /// and ends when the subscription is cancelled.
    ///
    /// - Parameter isolation: made on the main actor, it delivers there. Made elsewhere it delivers
    ///   on no particular thread, and `receive(on:)` chooses one.
    public func publisher(isolation: isolated (any Actor)? = #isolation) -> AnyPublisher<Snapshot<Value>, Never> {
        PullPublisher(isOnMainActor: isolation is MainActor) {
            var snapshots = makeAsyncIterator()
            return {
                guard let snapshot = await snapshots.next(isolation: #isolation) else {
                    return Pulled(completion: .finished)
                }
                return Pulled(value: snapshot)
            }
        }
        .eraseToAnyPublisher()
    }

    /// The values, then the first failure as the end: for pipelines that want values and a failure
    /// apart.
    ///
    /// When a refresh fails and a value is kept, the value comes first and the failure completes
    /// the publisher right after it, without further demand. A value that stands beside the failure
    /// and was delivered before is not delivered again. An answer such as 404 fails without a
    /// value. For a stream that lives through failures: ``publisher(isolation:)``, whose demand,
    /// cancellation and delivery this one shares.
    public func valuePublisher(isolation: isolated (any Actor)? = #isolation) -> AnyPublisher<Value, ReadFailure> {
        PullPublisher(isOnMainActor: isolation is MainActor) {
            var snapshots = makeAsyncIterator()
            var values = ValuesThenFailure<Value>()
            return {
                guard let snapshot = await snapshots.next(isolation: #isolation) else {
                    return Pulled(completion: .finished)
                }
                return values.take(snapshot)
            }
        }
        .eraseToAnyPublisher()
    }
}
#endif
