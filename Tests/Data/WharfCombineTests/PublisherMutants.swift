import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStores

/// Publishers with one defect each.
enum PublisherMutants {
    static let all: [LawMutant<PublisherLaws.Subject>] = [
        mutant(.takesNoDemandForOne, breaks: "nobody observes until there is demand"),
        mutant(.givesOneMore, breaks: "a slow subscriber gets as many as it asked for, and the newest"),
        mutant(.endsTwice, breaks: "unlimited demand gets each, in order, and the end once"),
        mutant(.goesOnAfterReturnedDemand, breaks: "what a subscriber returns from taking a value is demand"),
        mutant(.countsDemandFromWithinTwice, breaks: "a subscriber may ask for more while it takes a value"),
        mutant(.endsWhenCancelledAgain, breaks: "a cancelled subscription observes no more and says no more"),
        mutant(.comesBackForOne, breaks: "cancelling ends what rests for want of demand"),
        mutant(.beginsAfterCancelling, breaks: "demand after cancelling begins nothing"),
        mutant(.endsWhenCancelledFromWithin, breaks: "a subscriber may cancel while it takes a value"),
        mutant(.tellsWhoHasLeft, breaks: "each subscriber has a subscription of its own"),
        mutant(.goesOnForNobody, breaks: "letting go of the token frees all there is and ends the observation"),
        mutant(.keepsWhoCameToTheEnd, breaks: "a subscriber that keeps its subscription is free after the end"),
    ]

    private static func mutant(
        _ fault: WrongPublisher.Fault, breaks law: String
    ) -> LawMutant<PublisherLaws.Subject> {
        .init(
            breaks: law,
            .init("\(fault)") { feed in
                let names = feed.snapshots.valuePublisher().map(\.name).eraseToAnyPublisher()
                return WrongPublisher(base: names, fault: fault, feed: feed).eraseToAnyPublisher()
            })
    }
}

struct WrongPublisher: Publisher {
    typealias Output = String
    typealias Failure = ReadFailure

    enum Fault: Sendable {
        case takesNoDemandForOne, givesOneMore, endsTwice, goesOnAfterReturnedDemand, countsDemandFromWithinTwice
        case endsWhenCancelledAgain, comesBackForOne, beginsAfterCancelling, endsWhenCancelledFromWithin
        case tellsWhoHasLeft, goesOnForNobody, keepsWhoCameToTheEnd
    }

    let base: PublisherLaws.Names
    let fault: Fault
    let feed: Feed
    let relays = Relays()

    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == ReadFailure {
        let relay = Relay(AnySubscriber(subscriber), self)
        relays.add(relay)
        base.subscribe(relay)
    }
}
