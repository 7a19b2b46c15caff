#if AsyncHTTPClient && TestServer
import Testing
import WharfChecks
import WharfCoreLaws

struct TransportLawTests {
    @Test(arguments: TransportLaws.all)
    func asyncHTTPClientKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.asyncHTTPClient)
    }

    @Test(arguments: TransportLaws.all)
    func aLentClientKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.lentClient)
    }
}
#endif
