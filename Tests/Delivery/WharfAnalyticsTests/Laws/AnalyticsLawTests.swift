import Testing
import WharfAnalyticsLaws
import WharfChecks
import WharfCoreLaws

struct AnalyticsLawTests {
    @Test(arguments: SinksUnderLaws.all, AnalyticsSinkLaws.all)
    func eachSinkKeeps(sink: AnalyticsSinkLaws.Subject, law: Law<AnalyticsSinkLaws.Subject>) async throws {
        try await law.check(sink)
    }

    @Test(arguments: StagesUnderLaws.all, EventStageLaws.all)
    func eachStageKeeps(stage: EventStageLaws.Subject, law: Law<EventStageLaws.Subject>) async throws {
        try await law.check(stage)
    }

    @Test(arguments: AnalyticsDestinationsUnderLaws.all, DestinationLaws.all)
    func eachDestinationKeeps(destination: DestinationLaws.Subject, law: Law<DestinationLaws.Subject>) async throws {
        try await law.check(destination)
    }

    @Test(arguments: AnalyticsDestinationsUnderLaws.batching, BatchDestinationLaws.all)
    func eachBatchDestinationKeeps(
        destination: BatchDestinationLaws.Subject, law: Law<BatchDestinationLaws.Subject>
    ) async throws {
        try await law.check(destination)
    }

    @Test(arguments: AnalyticsSinkLaws.all)
    func eachLawOfSinksFailsForItsMutantsAlone(law: Law<AnalyticsSinkLaws.Subject>) async throws {
        try await law.prove(by: SinkMutants.all, in: AnalyticsSinkLaws.all)
    }

    @Test(arguments: EventStageLaws.all)
    func eachLawOfStagesFailsForItsMutantsAlone(law: Law<EventStageLaws.Subject>) async throws {
        try await law.prove(by: StageMutants.all, in: EventStageLaws.all)
    }
}
