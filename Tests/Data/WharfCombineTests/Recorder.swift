import Synchronization
import WharfCombine

/// A subscriber that requests the demand that the test sets, and records all events.
final class Recorder<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    typealias Reaction = @Sendable (Input, Recorder) -> Subscribers.Demand

    // Unchecked: subscriptions take requests from any thread.
    private struct Upstream: @unchecked Sendable {
        let subscription: any Subscription
    }

    private struct State {
        var upstream: Upstream?
        var values: [Input] = []
        var ends: [Failure?] = []
    }

    private let state = Mutex(State())
    private let initial: Subscribers.Demand
    private let reaction: Reaction

    /// - Parameter reaction: called with each value. It returns the additional demand.
    init(_ initial: Subscribers.Demand = .none, reaction: @escaping Reaction = { _, _ in .none }) {
        self.initial = initial
        self.reaction = reaction
    }

    var values: [Input] { state.withLock { $0.values } }
    /// The completions, each nil or its failure. There may be several if a publisher is wrong.
    var ends: [Failure?] { state.withLock { $0.ends } }

    /// Returns once `count` values and completions have arrived.
    func events(_ count: Int) async throws {
        try await until("\(count) values and ends") { state.withLock { $0.values.count + $0.ends.count >= count } }
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }
    func cancel() { upstream?.cancel() }

    func receive(subscription: any Subscription) {
        let upstream = Upstream(subscription: subscription)
        state.withLock { $0.upstream = upstream }
        if initial > .none { subscription.request(initial) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let more = reaction(input, self)
        state.withLock { $0.values.append(input) }
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        state.withLock { state in
            switch completion {
            case .finished: state.ends.append(nil)
            case .failure(let failure): state.ends.append(failure)
            }
        }
    }

    private var upstream: (any Subscription)? { state.withLock { $0.upstream }?.subscription }
}
