#if canImport(Combine) || OpenCombine
#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// A publisher of what an async closure returns or throws.
///
/// ```swift
/// TaskPublisher { await client.snapshot(Request<User>.get("users/1")) }    // value and error together, never fails
/// TaskPublisher { try await client.fetch(Request<User>.get("users/1")) }   // the value or the failure
/// ```
///
/// Unlike `Future` it is cold: the closure is called once for each subscriber, with its first
/// demand, in a task that ends when the subscription is cancelled.
public struct TaskPublisher<Output: Sendable, Failure: Error>: Publisher {
    private let base: PullPublisher<Output, Failure>

    /// - Parameter isolation: made on the main actor, it calls the closure and delivers there. Made
    ///   elsewhere it does so on no particular thread.
    public init(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
        base = PullPublisher(isOnMainActor: isolation is MainActor) {
            {
                do throws(Failure) {
                    return Pulled(value: try await operation(), completion: .finished)
                } catch {
                    return Pulled(completion: .failure(error))
                }
            }
        }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        base.receive(subscriber: subscriber)
    }
}
#endif
