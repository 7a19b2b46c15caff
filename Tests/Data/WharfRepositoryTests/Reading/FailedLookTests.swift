import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfRepository
import WharfStorage

/// Looks at observed keys that fail, while the store tells of no other change.
struct FailedLookTests {
    typealias Model = RepositoryLaws.Model

    private let clock = TestClock()
    private let store = FaultyEntityStore()
    private let incidents = IncidentLog()

    private func put(_ name: String, id: Int = 1) async throws {
        let row = try EntityKind.models.row(Model(id: id, name: name), of: nil, asOf: clock.wall.now(), staleAt: nil)
        try await store.commit([.put(row)])
    }

    private func run(
        _ body: (inout SnapshotSequence<Model>.AsyncIterator) async throws -> Void
    ) async throws {
        var configuration = RepositoryConfiguration(clock: clock.wall, timer: clock)
        configuration.onIncident = incidents.handler
        let repository = Repository(.models, in: store, configuration: configuration)
        try await put("old")
        var snapshots = repository.observe(id: 1, policy: .cacheOnly).makeAsyncIterator()
        #expect(await snapshots.next(isolation: nil)?.value?.name == "old")
        store.isUnreadable = true
        try await put("new")
        await waitUntil { incidents.codes == [.storeFailed] && clock.sleepers == 1 }
        try await body(&snapshots)
        withExtendedLifetime(repository) {}
    }

    @Test func failedLookIsRepeatedAfterAPause() async throws {
        try await run { snapshots in
            // The second pause is twice as long. No look is made without one.
            clock.advance(by: .milliseconds(100))
            await waitUntil { incidents.codes.count == 2 && clock.sleepers == 1 }
            store.isUnreadable = false
            clock.advance(by: .milliseconds(199))
            #expect(clock.sleepers == 1)
            clock.advance(by: .milliseconds(1))
            #expect(await snapshots.next(isolation: nil)?.value?.name == "new")
            await waitUntil { clock.sleepers == 0 }
        }
    }

    @Test func failedLookIsRepeatedAtTheChangeOfAnotherKey() async throws {
        try await run { snapshots in
            store.isUnreadable = false
            try await put("another", id: 2)
            #expect(await snapshots.next(isolation: nil)?.value?.name == "new")
        }
    }
}
