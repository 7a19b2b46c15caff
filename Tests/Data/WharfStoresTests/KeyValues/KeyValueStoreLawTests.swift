import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStores

@Suite struct KeyValueStoreLawTests {
    @Test(arguments: KeyValueConformer.allCases, KeyValueStoreLaws.all)
    func eachStoreKeepsLaw(conformer: KeyValueConformer, law: Law<KeyValueStoreLaws.Subject>) async throws {
        try await law.check(conformer.subject(in: Scratch()))
    }

    @Test(arguments: KeyValueStoreLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<KeyValueStoreLaws.Subject>) async throws {
        try await law.prove(by: KeyValueStoreMutants.all, in: KeyValueStoreLaws.all)
    }
}
