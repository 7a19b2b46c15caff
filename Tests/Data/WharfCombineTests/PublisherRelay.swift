import Synchronization
import WharfCombine
import WharfCore

/// A relay between a publisher and its subscriber, with the defect of its fault.
// Unchecked: both sides take calls from any thread.
final class Relay: Subscriber, Subscription, @unchecked Sendable {
    // Unchecked: they take calls from any thread.
    private struct Ends: @unchecked Sendable {
        var downstream: AnySubscriber<String, ReadFailure>?
        var upstream: (any Subscription)?
        var again: AnyCancellable?
    }

    private struct State {
        var ends: Ends
        var isTaking = false
        var hasCancelled = false
        var hasDemanded = false
        var hasReturnedDemand = false
        var count = 0
        var ownSelf: Relay?
    }

    private let state: Mutex<State>
    private let publisher: WrongPublisher
    private var fault: WrongPublisher.Fault { publisher.fault }

    init(_ downstream: AnySubscriber<String, ReadFailure>, _ publisher: WrongPublisher) {
        state = Mutex(State(ends: Ends(downstream: downstream)))
        self.publisher = publisher
    }

    func receive(subscription: any Subscription) {
        let held = Ends(upstream: subscription)
        state.withLock { $0.ends.upstream = held.upstream }
        ends.downstream?.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) {
        let (isTaking, hasCancelled, isFirst) = state.withLock { state in
            defer { if demand > .none { state.hasDemanded = true } }
            return (state.isTaking, state.hasCancelled, !state.hasDemanded)
        }
        var demand = demand
        switch fault {
        case .takesNoDemandForOne where demand == .none: demand = .max(1)
        case .givesOneMore where demand > .max(1) && demand != .unlimited: demand += 1
        case .countsDemandFromWithinTwice where isTaking: demand += demand
        case .comesBackForOne where hasCancelled && demand == .max(1): subscribeAgain()
        case .beginsAfterCancelling where hasCancelled && isFirst && demand > .none: subscribeAgain()
        default: break
        }
        ends.upstream?.request(demand)
    }

    private func subscribeAgain() {
        let again = Ends(
            again: publisher.base.sink { _ in
            } receiveValue: { _ in
            })
        state.withLock { $0.ends.again = again.again }
    }

    func cancel() {
        let (before, isFirst) = state.withLock { state in
            defer { state.hasCancelled = true }
            return (state, !state.hasCancelled)
        }
        let isAlone = publisher.relays.count == 1
        switch fault {
        case .endsWhenCancelledAgain where !isFirst, .endsWhenCancelledFromWithin where before.isTaking:
            before.ends.downstream?.receive(completion: .finished)
        case .goesOnForNobody where isAlone && before.hasDemanded && before.count == 0:
            publisher.feed.waitInVain()
            return
        case .endsWhenCancelledAgain: break
        case .tellsWhoHasLeft where !isAlone: break
        default: letGo()
        }
        before.ends.upstream?.cancel()
    }

    func receive(_ input: String) -> Subscribers.Demand {
        if fault == .tellsWhoHasLeft { publisher.relays.tellOthers(than: self, input) }
        let downstream = state.withLock { state in
            state.isTaking = true
            state.count += 1
            return state.ends
        }.downstream
        let more = downstream?.receive(input) ?? .none
        let hadReturned = state.withLock { state in
            defer { if more > .none { state.hasReturnedDemand = true } }
            state.isTaking = false
            return state.hasReturnedDemand
        }
        return fault == .goesOnAfterReturnedDemand && hadReturned && more == .none ? .max(1) : more
    }

    func receive(completion: Subscribers.Completion<ReadFailure>) {
        let downstream = ends.downstream
        downstream?.receive(completion: completion)
        if fault == .endsTwice { downstream?.receive(completion: completion) }
        guard fault == .keepsWhoCameToTheEnd else { return letGo() }
        state.withLock { $0.ownSelf = self }
        publisher.feed.waitInVain()
    }

    fileprivate func tell(_ input: String) { _ = ends.downstream?.receive(input) }

    private func letGo() { state.withLock { $0.ends.downstream = nil } }

    private var ends: Ends { state.withLock { $0.ends } }
}

/// The subscribers of one publisher.
final class Relays: Sendable {
    private struct Entry {
        weak var relay: Relay?
    }

    private let entries = Mutex<[Entry]>([])

    var count: Int { entries.withLock { $0.count } }

    func add(_ relay: Relay) { entries.withLock { $0.append(Entry(relay: relay)) } }

    func tellOthers(than relay: Relay, _ input: String) {
        for entry in entries.withLock({ $0 }) where entry.relay !== relay { entry.relay?.tell(input) }
    }
}
