import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStores

@Suite struct JournalLawTests {
    @Test(arguments: JournalLaws.all)
    func memoryStoreKeepsLaw(law: Law<JournalLaws.Subject>) async throws {
        try await law.check(.init("memory", remembering: 3) { MemoryWriteStore(remembering: 3, uptime: $0) })
    }

    @Test(arguments: EntityStoreLaws.all)
    func memoryStoreKeepsEntityLaw(law: Law<EntityStoreLaws.Subject>) async throws {
        try await law.check(.init("memory") { MemoryWriteStore() })
    }

    @Test(arguments: JournalLaws.all)
    func eachLawFailsForItsMutants(law: Law<JournalLaws.Subject>) async throws {
        let mutants = JournalMutants.all.filter { $0.breaks == law.name }
        #expect(!mutants.isEmpty)
        for mutant in mutants {
            await #expect(throws: LawViolation.self, "\(mutant.subject.description)") {
                try await law.check(mutant.subject)
            }
        }
    }

    @Test func eachMutantIsOfALaw() {
        #expect(Set(JournalMutants.all.map(\.breaks)).subtracting(JournalLaws.all.map(\.name)).isEmpty)
    }

    @Test(arguments: JournalLaws.all)
    func forwardingStoreKeepsLaw(law: Law<JournalLaws.Subject>) async throws {
        try await law.check(JournalMutants.mutant("right", breaks: "") { _ in }.subject)
    }

    @Test func newsTellsOfAnEntryFreedByAnExpiredOne() async throws {
        let store = MemoryWriteStore()
        let start = WallTime(secondsSince1970: 0)
        func entry(_ id: String, _ deliveryClass: DeliveryClass, after dependencies: Set<OutboxEntry.ID>) -> OutboxEntry
        {
            OutboxEntry(
                id: .init(id), lane: id, kind: .init("note"), payload: [], deliveryClass: deliveryClass,
                targets: .all("api"), dependencies: dependencies, enqueuedAt: start)
        }
        try await store.commit(
            Commit(enqueued: [
                entry("a", .expiring(after: .seconds(1), latestWins: false), after: []),
                entry("b", .durable, after: [.init("a")]),
            ]))
        let news = store.news()
        let leased = try await store.lease(
            LeaseRequest(routes: [.init("api", kinds: ["note"])], now: start + .seconds(9)))
        #expect(leased.expired.map(\.delivery.entry) == [.init("a")])
        store.close()
        var count = 0
        for await _ in news { count += 1 }
        #expect(count == 1)
    }

    @Test func closedStoreRefusesCallsAndEndsItsStreams() async throws {
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
