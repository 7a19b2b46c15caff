import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage
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

    @Test func journalNotifiesOfAnEntryFreedByAnExpiredOne() async throws {
        let store = MemoryWriteStore()
        let start = WallTime(secondsSince1970: 0)
        func entry(_ id: String, _ deliveryClass: DeliveryClass, after dependencies: Set<OutboxEntry.ID>) -> OutboxEntry
        {
            var entry = OutboxEntry(
                id: .init(id), lane: id, kind: .init("note"), payload: [], targets: .all("api"), enqueuedAt: start)
            entry.deliveryClass = deliveryClass
            entry.dependencies = dependencies
            return entry
        }
        try await store.commit(
            Commit(enqueued: [
                entry("a", .expiring(after: .seconds(1), latestWins: false), after: []),
                entry("b", .durable, after: [.init("a")]),
            ]))
        let notifications = store.notifications()
        let leased = try await store.lease(
            LeaseRequest(destinations: [.init("api", kinds: ["note"])], now: start + .seconds(9)))
        #expect(leased.expired.map(\.delivery.entry) == [.init("a")])
        store.close()
        var count = 0
        for await _ in notifications { count += 1 }
        #expect(count == 1)
    }

    @Test func closedStoreRefusesCallsAndEndsItsStreams() async throws {
        let store = MemoryWriteStore()
        let (changes, notifications) = (store.changes(of: nil, kind: "note", since: nil), store.notifications())
        store.close()
        for await change in changes { Issue.record("heard of \(change)") }
        for await _ in notifications { Issue.record("heard of something") }
        for await _ in store.notifications() { Issue.record("heard of something") }
        await #expect { try await store.commit(Commit()) } throws: { ($0 as? StoreError)?.code == .closed }
        await #expect { try await store.counts(of: nil) } throws: { ($0 as? StoreError)?.code == .closed }
    }
}
