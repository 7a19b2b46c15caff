import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFaults

struct TransportLawTests {
    /// Delays and small pieces do not violate the contract.
    @Test(arguments: TransportLaws.all)
    func aSlowNetworkKeeps(law: Law<TransportLaws.Subject>) async throws {
        let plan: FaultPlan = [
            .latency(.milliseconds(1), .toServer), .latency(.milliseconds(1)), .sliced(bytes: 1000, jitter: 999),
            .slowClose(.milliseconds(1)), .bandwidth(bitsPerSecond: 1 << 40), .reset(after: .seconds(3600)),
        ]
        try await law.check(.overStub("FaultyTransport") { FaultyTransport($0, plan) })
    }
}
