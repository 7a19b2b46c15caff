#if TestServer
import Testing
import WharfChecks
import WharfCoreLaws

struct TransportLawTests {
    @Test(arguments: TransportLaws.all)
    func urlSessionKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.urlSession)
    }
}
#endif
