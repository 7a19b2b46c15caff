#if canImport(Combine) || OpenCombine
import Synchronization
import Testing
import WharfCombine
import WharfCore
import WharfTesting

/// A publisher that is wrong in one way, and the words of the law that must notice.
struct PublisherMutant: Sendable, CustomTestStringConvertible {
    enum Fault: Sendable {
        case observesAtOnce, asksForAll, forgetsReturnedDemand, ignoresRequestsFromWithin, deafToCancelling
        case talksAfterCancelling, endsTwice, keepsItsSubscriber
    }

    let testDescription: String
    let breaks: String
    let change: @Sendable (Feed, PublisherLaws.Names) -> PublisherLaws.Names

    var subject: PublisherLaws.Subject {
        .init(testDescription) { feed in
            let names = feed.snapshots.valuePublisher().map(\.name).eraseToAnyPublisher()
            return change(feed, names)
        }
    }

    private init(
        _ description: String, breaks: String,
        change: @escaping @Sendable (Feed, PublisherLaws.Names) -> PublisherLaws.Names
    ) {
        self.testDescription = description
        self.breaks = breaks
        self.change = change
    }

    private init(_ fault: Fault, breaks: String) {
        self.init("\(fault)", breaks: breaks) { _, names in
            Faulty(base: names, fault: fault).eraseToAnyPublisher()
        }
    }

    static let all: [PublisherMutant] = [
        .init(.observesAtOnce, breaks: "until there is demand"),
        .init(.asksForAll, breaks: "a slow subscriber gets"),
        .init(.endsTwice, breaks: "the end once"),
        .init(.forgetsReturnedDemand, breaks: "returns from taking a value"),
        .init(.ignoresRequestsFromWithin, breaks: "may ask for more while"),
        .init(.deafToCancelling, breaks: "observes no more and says no more"),
        .init(.talksAfterCancelling, breaks: "observes no more and says no more"),
        .init(.deafToCancelling, breaks: "for want of demand"),
        .init(.deafToCancelling, breaks: "demand after cancelling"),
        .init(.deafToCancelling, breaks: "may cancel while"),
        .init(.deafToCancelling, breaks: "letting go of the token"),
        .init(.keepsItsSubscriber, breaks: "is free after the end"),
        .init("shares one subscription", breaks: "a subscription of its own") { _, names in
            names.share().eraseToAnyPublisher()
        },
    ]
}

private struct Faulty: Publisher {
    typealias Output = String
    typealias Failure = ReadFailure

    let base: PublisherLaws.Names
    let fault: PublisherMutant.Fault

    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == ReadFailure {
        base.subscribe(Relay(AnySubscriber(subscriber), fault))
    }
}

/// Between the publisher and its subscriber, and wrong where the fault says so.
// Unchecked: both sides take calls from any thread.
private final class Relay: Subscriber, Subscription, @unchecked Sendable {
    private let downstream: AnySubscriber<String, ReadFailure>
    private let fault: PublisherMutant.Fault
    private let upstream = Mutex<Upstream?>(nil)
    private let isTaking = Mutex(false)
    private let ownSelf = Mutex<Relay?>(nil)

    // Unchecked: it takes requests from any thread.
    private struct Upstream: @unchecked Sendable {
        let subscription: any Subscription
    }

    init(_ downstream: AnySubscriber<String, ReadFailure>, _ fault: PublisherMutant.Fault) {
        self.downstream = downstream
        self.fault = fault
    }

    func receive(subscription: any Subscription) {
        let held = Upstream(subscription: subscription)
        upstream.withLock { $0 = held }
        if fault == .keepsItsSubscriber { ownSelf.withLock { $0 = self } }
        downstream.receive(subscription: self)
        if fault == .observesAtOnce { subscription.request(.max(1)) }
    }

    func request(_ demand: Subscribers.Demand) {
        if fault == .ignoresRequestsFromWithin, isTaking.withLock({ $0 }) { return }
        upstream.withLock { $0 }?.subscription.request(fault == .asksForAll ? .unlimited : demand)
    }

    func cancel() {
        if fault == .talksAfterCancelling { downstream.receive(completion: .finished) }
        if fault != .deafToCancelling { upstream.withLock { $0 }?.subscription.cancel() }
    }

    func receive(_ input: String) -> Subscribers.Demand {
        isTaking.withLock { $0 = true }
        defer { isTaking.withLock { $0 = false } }
        let more = downstream.receive(input)
        return fault == .forgetsReturnedDemand ? .none : more
    }

    func receive(completion: Subscribers.Completion<ReadFailure>) {
        downstream.receive(completion: completion)
        if fault == .endsTwice { downstream.receive(completion: completion) }
    }
}
#endif
