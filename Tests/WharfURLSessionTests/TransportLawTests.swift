#if TestServer
import Testing
import WharfTesting

struct TransportLawTests {
    @Test(arguments: TransportLaws.all)
    func urlSessionKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.urlSession)
    }
}
#endif
