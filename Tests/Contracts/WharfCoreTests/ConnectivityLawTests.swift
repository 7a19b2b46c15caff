import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes

struct ConnectivityLawTests {
    private static let test = ConnectivityLaws.Subject("TestConnectivity") {
        let network = TestConnectivity()
        return .init(network, turn: { network.turn(online: $0) }, readers: { network.readers })
    }

    @Test(arguments: ConnectivityLaws.all)
    func fakeKeepsLaw(law: Law<ConnectivityLaws.Subject>) async throws {
        try await law.check(Self.test)
    }

    @Test(arguments: ConnectivityLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<ConnectivityLaws.Subject>) async throws {
        try await law.prove(by: ConnectivityMutants.all, in: ConnectivityLaws.all)
    }

    /// An observer that stops and a writer that notifies take the same two locks in opposite
    /// orders. This must not deadlock.
    @Test func cancellingReadersDuringTurnsDoesNotDeadlock() async {
        let network = TestConnectivity()
        let teller = Task {
            while !Task.isCancelled {
                network.turn(online: false)
                await Task.yield()
            }
        }
        for _ in 0..<200 {
            let readers = (0..<64).map { _ in
                Task { [changes = network.changes()] in
                    for await _ in changes {}
                }
            }
            for _ in 0..<20 { await Task.yield() }
            for reader in readers { reader.cancel() }
            for reader in readers { await reader.value }
        }
        teller.cancel()
        await teller.value
        await waitUntil { network.readers == 0 }
    }

    @Test func sequencesEndWhenTurnsFinish() async {
        let turns = ConnectivityChanges(isOnline: true)
        let (early, other) = (turns.changes(), turns.changes())
        turns.tell(online: false)
        turns.finish()
        for changes in [early, other] {
            var received: [Bool] = []
            for await isOnline in changes { received.append(isOnline) }
            #expect(received == [false])
        }
        for await isOnline in turns.changes() { Issue.record("who came after the end heard \(isOnline)") }
        #expect(turns.readers == 0)
    }
}
