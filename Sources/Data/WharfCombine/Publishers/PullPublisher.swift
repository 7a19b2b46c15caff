#if canImport(Combine) || OpenCombine
#if canImport(Combine)
internal import Combine
#else
internal import OpenCombine
#endif

/// A cold publisher over a pull function.
///
/// Each subscriber gets a pull function of its own, made at its first demand.
struct PullPublisher<Output, Failure: Error>: Publisher {
    typealias Pull = () async -> PullResult<Output, Failure>

    private let isOnMainActor: Bool
    private let makePull: @Sendable () -> Pull

    init(isOnMainActor: Bool, _ makePull: @escaping @Sendable () -> Pull) {
        self.isOnMainActor = isOnMainActor
        self.makePull = makePull
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        // Used by the pulling task alone, so it needs no lock.
        var pull: Pull?
        let subscription = PullSubscription(AnySubscriber(subscriber), isOnMainActor: isOnMainActor) { [makePull] in
            let next = pull ?? makePull()
            pull = next
            return await next()
        }
        // The publisher keeps nothing: the subscriber holds its subscription.
        subscriber.receive(subscription: subscription)
    }
}
#endif
