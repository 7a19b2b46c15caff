import Testing
import WharfCore
import WharfTesting

@Suite(.timeLimit(.minutes(10)))
struct ScriptedTransportLawTests {
    @Test(arguments: TransportLaws.all)
    func scriptKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.scripted())
    }

    @Test(arguments: TransportLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<TransportLaws.Subject>) async throws {
        try await law.prove(by: TransportMutants.all, in: TransportLaws.all)
    }
}
