#if TestServer
import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFaults

struct TransportLawTests {
    @Test(arguments: TransportLaws.live(leavingOut: LeftOutLaw.ofURLSession))
    func urlSessionKeeps(law: Law<TransportLaws.Subject>) async throws {
        guard let broken = LeftOutLaw.brokenByURLSession.first(where: { $0.law == law.name }) else {
            return try await law.check(.urlSession)
        }
        await withKnownIssue("\(broken.reason)") { try await law.check(.urlSession) }
    }

    @Test(arguments: LeftOutLaw.ofURLSession + LeftOutLaw.brokenByURLSession)
    func aLawThatIsLeftOutIsThere(one: LeftOutLaw) {
        #expect(TransportLaws.all.contains { $0.name == one.law })
    }

    /// Late and in pieces is no breach of the contract.
    @Test(arguments: TransportLaws.all)
    func aSlowNetworkKeeps(law: Law<TransportLaws.Subject>) async throws {
        let plan: FaultPlan = [
            .latency(.milliseconds(1), .toServer), .latency(.milliseconds(1)), .sliced(bytes: 1000, jitter: 999),
            .slowClose(.milliseconds(1)), .bandwidth(bitsPerSecond: 1 << 40), .reset(after: .seconds(3600)),
        ]
        try await law.check(.overStub("FaultyTransport") { FaultyTransport($0, plan) })
    }
}
#endif
