import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage
import WharfStores

@Suite struct EntityStoreLawTests {
    @Test(arguments: EntityStoreConformer.allCases, EntityStoreLaws.all)
    func eachStoreKeepsLaw(conformer: EntityStoreConformer, law: Law<EntityStoreLaws.Subject>) async throws {
        try await law.check(conformer.subject(in: Scratch()))
    }

    @Test(arguments: EntityStoreLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<EntityStoreLaws.Subject>) async throws {
        try await law.prove(by: EntityStoreMutants.all, in: EntityStoreLaws.all)
    }

    @Test(arguments: EntityStoreConformer.allCases)
    func eachStoreBehavesLikeTheModel(conformer: EntityStoreConformer) async throws {
        try await EntityStoreModel.law.check(conformer.subject(in: Scratch()))
    }

    @Test func theModelSeesMutantsOfVersions() async throws {
        let law = "a row and a tombstone carry the version of their commit"
        for mutant in EntityStoreMutants.all where mutant.breaks == law {
            await #expect(throws: LawViolation.self, "\(mutant.subject)") {
                try await EntityStoreModel.law.check(mutant.subject)
            }
        }
    }

    @Test func aClosedStoreRefusesAndEndsItsSubscriptions() async throws {
        let store = MemoryEntityStore()
        let changes = store.changes(of: nil, kind: "note", since: nil)
        store.close()
        for await change in changes { Issue.record("heard of \(change)") }
        for await change in store.changes(of: nil, since: .none) { Issue.record("heard of \(change)") }
        for await change in store.changes(of: nil, kind: "note", since: nil) { Issue.record("heard of \(change)") }
        await #expect { try await store.commit([]) } throws: { ($0 as? StoreError)?.code == .closed }
        await #expect { try await store.row(EntityKey(kind: "note", id: "1")) } throws: {
            ($0 as? StoreError)?.code == .closed
        }
    }
}
