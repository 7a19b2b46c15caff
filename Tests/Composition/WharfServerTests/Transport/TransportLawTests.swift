import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfTestServer

struct TransportLawTests {
    @Test(arguments: TransportLaws.live())
    func asyncHTTPClientKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.asyncHTTPClient)
    }

    @Test(arguments: TransportLaws.live())
    func aLentClientKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.lentClient)
    }
}
