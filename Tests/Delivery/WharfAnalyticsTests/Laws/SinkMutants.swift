import WharfAnalyticsLaws
import WharfChecks

enum SinkMutants {
    static let all: [LawMutant<AnalyticsSinkLaws.Subject>] =
        mutants(
            "a sink has a name and limits of at least 1, the same for each instance", .hasNoName, .hasANameEachTime,
            .hasNoLimit)
        + mutants(
            "each event of a batch arrives complete and in order", .losesAnEvent, .reversesBatches, .forgetsAVerdict,
            .losesProperties)
        + mutants(
            "the same batch is the same to the receiver each time", .countsAttempts, .takesAKeyForEachAttempt)
        + mutants("each batch has a key of its own, or none has one", .hasOneKey)
        + mutants(
            "an event whose consent was withdrawn is not sent, and gets a retry", .sendsTheUnwanted,
            .rejectsTheUnwanted)
        + mutants(
            "events for a busy receiver are sent later, and arrive then", .deliversToTheBusy, .rejectsWhenBusy,
            .keepsWhenBusy)
        + mutants("an event that the receiver never takes is rejected", .retriesTheRefused, .keepsTheRefused)
        + mutants("a rejected event does not reject another event of its batch", .rejectsAll, .retriesTheRest)
        + mutants(
            "a size is the same each time, and grows with the event", .hasASizeEachTime, .hasOneSize,
            .hasLimitsBySize)
        + mutants("an event as large as the limit is taken", .rejectsTheLargest, .cutsTheLargest)

    private static func mutants(_ law: String, _ faults: WrongSink.Fault...) -> [LawMutant<AnalyticsSinkLaws.Subject>] {
        faults.map { fault in .init(breaks: law, .init("\(fault)") { WrongSink(fault).underLaws }) }
    }
}
