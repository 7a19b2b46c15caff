#if AsyncHTTPClient && TestServer
import Testing
import TransportStages
import WharfChecks
import WharfCoreLaws

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
#endif
