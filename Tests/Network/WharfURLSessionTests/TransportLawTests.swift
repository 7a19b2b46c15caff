import Testing
import TransportStages
import WharfChecks
import WharfCoreLaws

struct TransportLawTests {
    @Test(arguments: TransportLaws.live(leavingOut: LeftOutLaw.ofURLSession))
    func urlSessionKeeps(law: Law<TransportLaws.Subject>) async throws {
        guard let broken = LeftOutLaw.brokenByURLSession.first(where: { $0.law == law.name }) else {
            return try await law.check(.urlSession)
        }
        await withKnownIssue("\(broken.reason)") { try await law.check(.urlSession) }
    }

    @Test(arguments: LeftOutLaw.ofURLSession + LeftOutLaw.brokenByURLSession)
    func leftOutLawExists(one: LeftOutLaw) {
        #expect(TransportLaws.all.contains { $0.name == one.law })
    }
}
