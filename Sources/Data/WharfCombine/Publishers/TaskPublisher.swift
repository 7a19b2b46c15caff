#if canImport(Combine) || OpenCombine
#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// A publisher of the result of an async closure.
///
/// ```swift
/// TaskPublisher { await client.snapshot(Request<User>.get("users/1")) }    // value and error together, never fails
/// TaskPublisher { try await client.fetch(Request<User>.get("users/1")) }   // the value or the failure
/// ```
///
/// Unlike `Future` it is cold. The closure is called once per subscriber, at the first demand. It
/// runs in a task that is cancelled with the subscription.
public struct TaskPublisher<Output: Sendable, Failure: Error>: Publisher {
    private let base: PullPublisher<Output, Failure>

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - isolation: the caller's isolation. A publisher made on the main actor calls the closure
    ///     and delivers there. One made elsewhere does so on any thread.
    ///   - operation: produces the value or the failure of one subscriber.
    public init(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
        base = PullPublisher(isOnMainActor: isolation is MainActor) {
            {
                do throws(Failure) {
                    return PullResult(value: try await operation(), completion: .finished)
                } catch {
                    return PullResult(completion: .failure(error))
                }
            }
        }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        base.receive(subscriber: subscriber)
    }
}
#endif
