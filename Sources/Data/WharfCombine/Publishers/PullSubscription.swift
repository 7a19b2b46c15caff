#if canImport(Combine) || OpenCombine
internal import Synchronization

#if canImport(Combine)
internal import Combine
#else
internal import OpenCombine
#endif

/// The result of one pull: a value, the end, both, or neither.
struct PullResult<Output, Failure: Error> {
    var value: Output?
    var completion: Subscribers.Completion<Failure>?
}

/// A subscription that pulls by ``PullState`` and delivers the results.
final class PullSubscription<Output, Failure: Error>: Subscription, Sendable {
    typealias Pull = () async -> PullResult<Output, Failure>

    // `@unchecked`: a subscriber accepts calls from any thread, but only one at a time, and so does
    // an iterator. Only the pulling task uses them.
    private struct Parts: @unchecked Sendable {
        let downstream: AnySubscriber<Output, Failure>
        let pull: Pull
    }

    private let state: Mutex<PullState<Parts>>
    private let isOnMainActor: Bool

    init(_ downstream: AnySubscriber<Output, Failure>, isOnMainActor: Bool, pull: @escaping Pull) {
        self.state = Mutex(PullState(Parts(downstream: downstream, pull: pull)))
        self.isOnMainActor = isOnMainActor
    }

    func request(_ demand: Subscribers.Demand) {
        // Under the lock, so that a concurrent `cancel()` finds the task. Creating a task only
        // enqueues it.
        state.withLock { state in
            state.request(demand) {
                isOnMainActor ? Task { @MainActor in await pullOnDemand() } : Task { await pullOnDemand() }
            }
        }
    }

    func cancel() {
        // Outside the lock: releasing the parts may run the subscriber's deinitialiser, which may
        // call back.
        state.withLock { $0.end() }?.puller?.cancel()
    }

    private func pullOnDemand() async {
        while let parts = state.withLock({ $0.next() }) {
            // Parts are retained for one pull, so a cancellation releases them after it.
            let pulled = await parts.pull()
            // Called without the lock: the subscriber may request more or cancel from within.
            if let value = pulled.value {
                // Checked after the pull: no value may arrive after `cancel`.
                guard state.withLock({ $0.takeDemand() }) else { return }
                let more = parts.downstream.receive(value)
                state.withLock { $0.add(more) }
            }
            if let completion = pulled.completion {
                // Only the first end may tell the subscriber.
                guard state.withLock({ $0.end() }) != nil else { return }
                parts.downstream.receive(completion: completion)
            }
        }
    }
}
#endif
