#if TestServer
import Testing
import WharfCore
import WharfFaults
import WharfTesting

@Suite(.timeLimit(.minutes(10)))
struct TransportLawTests {
    @Test(arguments: TransportLaws.all)
    func urlSessionKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.urlSession)
    }

    @Test(arguments: TransportLaws.all)
    func scriptKeeps(law: Law<TransportLaws.Subject>) async throws {
        try await law.check(.overStub())
    }

    /// Late and in pieces is no breach of the contract.
    @Test(arguments: TransportLaws.all)
    func aSlowNetworkKeeps(law: Law<TransportLaws.Subject>) async throws {
        let plan: FaultPlan = [
            .latency(.milliseconds(1), .toServer), .latency(.milliseconds(1)), .sliced(bytes: 1000, jitter: 999),
            .slowClose(.milliseconds(1)), .bandwidth(bitsPerSecond: 1 << 40), .reset(after: .seconds(3600)),
        ]
        try await law.check(.scripted("FaultyTransport") { FaultyTransport($0, plan) })
    }

    @Test func eachLawIsBrokenBySomeMutant() {
        let broken = Set(TransportMutant.all.map(\.breaks))
        #expect(TransportLaws.all.map(\.name).filter { !broken.contains($0) } == [])
    }

    @Test(arguments: TransportMutant.all)
    func isCaught(mutant: TransportMutant) async throws {
        let law = try #require(TransportLaws.all.first { $0.name == mutant.breaks })
        let subject = TransportLaws.Subject.overStub(
            mutant.description, patience: .milliseconds(300), wrap: mutant.wrap)
        let violation = await #expect(throws: LawViolation.self) { try await law.check(subject) }
        #expect(violation?.law == mutant.breaks)
        #expect(violation?.conformer == mutant.description)
    }
}
#endif
