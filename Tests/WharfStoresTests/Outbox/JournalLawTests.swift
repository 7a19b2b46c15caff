import Testing
import WharfCore
import WharfStores
import WharfTesting

@Suite struct JournalLawTests {
    @Test(arguments: JournalLaws.all)
    func theMemoryStoreKeeps(law: Law<JournalLaws.Subject>) async throws {
        try await law.check(.init("memory") { MemoryWriteStore() })
    }

    @Test(arguments: EntityStoreLaws.all)
    func itsEntitiesKeep(law: Law<EntityStoreLaws.Subject>) async throws {
        try await law.check(.init("memory") { MemoryWriteStore() })
    }

    @Test func aClosedStoreRefusesAndEndsWhatItTells() async throws {
        let store = MemoryWriteStore()
        let (changes, news) = (store.changes(of: nil, kind: "note"), store.news())
        store.close()
        for await change in changes { Issue.record("heard of \(change)") }
        for await _ in news { Issue.record("heard of something") }
        for await _ in store.news() { Issue.record("heard of something") }
        await #expect { try await store.commit(Commit()) } throws: { ($0 as? StoreError)?.code == .closed }
        await #expect { try await store.counts(of: nil) } throws: { ($0 as? StoreError)?.code == .closed }
    }
}
