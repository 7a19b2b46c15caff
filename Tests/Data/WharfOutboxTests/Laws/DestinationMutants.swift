import WharfChecks
import WharfCore
import WharfCoreLaws

enum DestinationMutants {
    static let all: [LawMutant<DestinationLaws.Subject>] =
        mutants(
            "a destination has a name and kinds, the same for each instance", .hasNoName, .hasANameEachTime, .hasNoKinds
        )
        + mutants(
            "an entry that is delivered has arrived once, with its payload", .losesAByte, .sendsTwice,
            .retriesTheThird)
        + mutants("each attempt carries the same key and bytes", .countsAttempts, .takesAKeyForEachAttempt)
        + mutants("each entry has a key of its own, or none has one", .hasOneKey)
        + mutants("entries on their way at the same time arrive each by itself", .mixesEntries)
        + mutants(
            "a cancelled delivery ends, and succeeds only if the entry has arrived", .goesOn, .claimsWhatIsCancelled)
        + mutants(
            "an entry for a busy receiver is sent later, and arrives then", .deliversToTheBusy, .rejectsWhenBusy,
            .keepsWhenBusy, .remembersTheBusy)
        + mutants(
            "an entry that the receiver refuses for good is rejected or in conflict", .retriesForEver,
            .keepsTheRefused)
        + mutants(
            "an unreadable payload is rejected, and does not arrive", .sendsTheUnreadable, .retriesTheUnreadable)
        + mutants("a failure has a message, without secrets", .hasNoMessage, .tellsItsCredential)
        + mutants("a rewrite without an id of the payload changes nothing", .rewritesAlways, .rewritesOthers)
        + mutants(
            "a rewrite puts each given id in the place of its temporary one", .replacesOneID, .replacesAgain)

    private static func mutants(
        _ law: String, _ faults: WrongDestination.Fault...
    ) -> [LawMutant<DestinationLaws.Subject>] {
        faults.map { fault in
            .init(
                breaks: law,
                .init("\(fault)") {
                    let destination = WrongDestination(fault)
                    return .init(destination, at: destination.receiver.receiver())
                })
        }
    }
}

enum BatchDestinationMutants {
    static let all: [LawMutant<BatchDestinationLaws.Subject>] =
        mutants("a destination has limits of at least 1, the same for each instance", .hasNoLimit, .hasLimitsEachTime)
        + mutants(
            "each entry of a batch is delivered, in order", .forgetsAnAnswer, .reversesBatches, .repeatsTheFirst)
        + mutants("a batch of one is answered as its entry alone", .retriesOneAlone)
        + mutants(
            "a batch for a busy receiver is sent later, as a whole", .deliversTheRestToTheBusy, .keepsTheRestWhenBusy)
        + mutants(
            "an unreadable entry is rejected in its place, and no other is", .rejectsNeighbours, .rejectsTheNext,
            .keepsTheUnreadable)
        + mutants("an entry that is larger than the limit is settled", .retriesTheLarge, .cutsTheLarge)

    private static func mutants(
        _ law: String, _ faults: WrongBatchDestination.Fault...
    ) -> [LawMutant<BatchDestinationLaws.Subject>] {
        faults.map { fault in .init(breaks: law, .init("\(fault)") { WrongBatchDestination(fault).underLaws }) }
    }
}
