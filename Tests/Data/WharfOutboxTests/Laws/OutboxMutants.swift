import WharfChecks
import WharfCoreLaws

enum OutboxMutants {
    static let all: [LawMutant<OutboxLaws.Subject>] =
        mutants("a new id sorts after each before it, and no two tasks get the same", .repeatsIDs, .sortsIDsBackward)
        + mutants(
            "entries are in the store at return, as they are, with their changes", .losesChanges, .losesTargets,
            .losesEntries)
        + mutants("entries of one call and of several keep their order", .reversesCalls)
        + mutants(
            "a call with an id that is known is refused, and changes nothing", .takesTheKnown, .keepsTheNew,
            .keepsChanges)
        + mutants("the outcome of an entry that was never here is nil", .inventsOutcomes)
        + mutants("a drain delivers each entry as it is, each lane in its order", .reversesLanes, .changesPayloads)
        + mutants(
            "a drain reports what it delivered, what failed, and what is left", .countsNothing, .forgetsTheRest)
        + mutants(
            "a drain is complete if nothing held it back, and only then", .isAlwaysComplete, .isNeverComplete)
        + mutants("two drains at the same time deliver each entry once", .deliversTwice)
        + mutants("a destination replaces the registered one of the same name", .keepsTheFirst)
        + mutants("entries of other accounts stay", .takesOtherAccounts)
        + mutants(
            "an outcome comes when the last destination has settled, not before", .answersAtOnce, .neverAnswers)
        + mutants("an outcome says what each destination made of the entry", .hidesTheDead)
        + mutants("an entry that was delivered everywhere has no outcome any more", .remembersTheDelivered)

    private static func mutants(_ law: String, _ faults: WrongOutbox.Fault...) -> [LawMutant<OutboxLaws.Subject>] {
        faults.map { fault in
            .init(
                breaks: law,
                .init("\(fault)") {
                    let outbox = WrongOutbox(fault)
                    return .init(outbox, close: { await outbox.close() })
                })
        }
    }
}
