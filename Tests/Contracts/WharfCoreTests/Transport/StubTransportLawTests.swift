import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws

struct StubTransportLawTests {
    @Test(arguments: TransportLaws.all)
    func stubKeepsLaw(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.overStub())
    }

    @Test(arguments: TransportLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<TransportLaws.Subject>) async throws {
        try await law.prove(by: TransportMutants.all, in: TransportLaws.all)
    }
}
