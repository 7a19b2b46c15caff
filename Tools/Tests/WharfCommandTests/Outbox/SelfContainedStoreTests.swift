import Testing
import Wharf

@testable import WharfCommand

@Suite struct SelfContainedStoreTests {
    private let base = MemoryWriteStore()
    private let now = WallTime(secondsSince1970: 1_000_000_000)

    private func request(at seconds: Int64, lanes: Int = 8) -> LeaseRequest {
        LeaseRequest(
            routes: [.init("api", kinds: [OutboxRequest.kind.name])], now: now,
            uptime: Uptime(boot: "test", nanoseconds: seconds * 1_000_000_000), lanes: lanes)
    }

    private func enqueue(_ id: String, _ address: String) async throws {
        let entry = OutboxRequest(.post, address).entry(.init(id), lane: id, to: "api", at: now)
        try await base.commit(Commit(enqueued: [entry]))
    }

    /// Who drains may be killed at any moment.
    @Test func whatIsHeldForTheAppRunsOutInAMoment() async throws {
        for index in 0..<3 { try await enqueue("app \(index)", "notes") }
        try await enqueue("own", "https://example.com/notes")
        let store = SelfContainedStore(base)
        let leased = try await store.lease(request(at: 0, lanes: 2))
        #expect(leased.lanes.map(\.lease.lane.name) == ["own"])
        for (seconds, expected) in [
            (4, []), (5, ["app 0", "app 1", "app 2"]), (59, []), (60, ["own"]),
        ] as [(Int64, [String])] {
            let found = try await base.lease(request(at: seconds)).lanes.map(\.lease.lane.name)
            #expect(found == expected, "after \(seconds) s")
        }
    }
}
