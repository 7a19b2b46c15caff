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
    typealias Pull = () async -> Pulled<Output, Failure>

    private let isOnMainActor: Bool
    private let makePull: @Sendable () -> Pull

    init(isOnMainActor: Bool, _ makePull: @escaping @Sendable () -> Pull) {
        self.isOnMainActor = isOnMainActor
        self.makePull = makePull
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        var pull: Pull?
        let subscription = PullSubscription(AnySubscriber(subscriber), isOnMainActor: isOnMainActor) { [makePull] in
            let next = pull ?? makePull()
            pull = next
            return await next()
        }
        subscriber.receive(subscription: subscription)
    }
}
#endif
