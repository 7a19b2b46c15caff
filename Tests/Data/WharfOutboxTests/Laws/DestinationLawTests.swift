import Testing
import WharfChecks
import WharfCoreLaws

struct DestinationLawTests {
    @Test(arguments: DestinationsUnderLaws.all, DestinationLaws.all)
    func eachDestinationKeeps(destination: DestinationLaws.Subject, law: Law<DestinationLaws.Subject>) async throws {
        try await law.check(destination)
    }

    @Test(arguments: DestinationsUnderLaws.batching, BatchDestinationLaws.all)
    func eachBatchDestinationKeeps(
        destination: BatchDestinationLaws.Subject, law: Law<BatchDestinationLaws.Subject>
    ) async throws {
        try await law.check(destination)
    }

    @Test(arguments: DestinationLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<DestinationLaws.Subject>) async throws {
        try await law.prove(by: DestinationMutants.all, in: DestinationLaws.all)
    }

    @Test(arguments: BatchDestinationLaws.all)
    func eachLawOfBatchesFailsForItsMutantsAlone(law: Law<BatchDestinationLaws.Subject>) async throws {
        try await law.prove(by: BatchDestinationMutants.all, in: BatchDestinationLaws.all)
    }
}
