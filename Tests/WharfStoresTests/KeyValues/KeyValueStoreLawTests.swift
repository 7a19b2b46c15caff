import Testing
import WharfCore
import WharfStores
import WharfTesting

@Suite struct KeyValueStoreLawTests {
    @Test(arguments: KeyValueConformer.allCases, KeyValueStoreLaws.all)
    func eachStoreKeeps(conformer: KeyValueConformer, law: Law<KeyValueStoreLaws.Subject>) async throws {
        try await law.check(conformer.subject(in: Scratch()))
    }

    @Test(arguments: KeyValueStoreMutant.all)
    func aStoreThatIsWrongBreaksItsLaw(mutant: KeyValueStoreMutant) async {
        var broken: [String] = []
        for law in KeyValueStoreLaws.all {
            do { try await law.check(mutant.subject) } catch { broken.append(law.name) }
        }
        #expect(broken.contains { $0.contains(mutant.breaks) }, "\(mutant) breaks only \(broken)")
    }

    @Test func everyLawIsBrokenBySomeStore() {
        let unbroken = KeyValueStoreLaws.all.map(\.name).filter { name in
            !KeyValueStoreMutant.all.contains { name.contains($0.breaks) }
        }
        #expect(unbroken.isEmpty)
    }
}
