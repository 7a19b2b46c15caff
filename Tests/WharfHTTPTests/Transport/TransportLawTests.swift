#if TestServer
import Testing
import WharfCore
import WharfTesting

@Suite(.timeLimit(.minutes(10)))
struct TransportLawTests {
    @Test(arguments: TransportLaws.all)
    func urlSessionKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.urlSession)
    }
}
#endif
