import Testing
import Wharf
import WharfFakes
import WharfStorage

@testable import WharfCommand

@Suite struct SelfContainedStoreTests {
    private let clock = TestClock()
    private let base: MemoryWriteStore
    private let now = WallTime(secondsSince1970: 1_000_000_000)

    init() { base = MemoryWriteStore(uptime: clock.uptime) }

    /// - Parameter seconds: the time on the store's clock, which is advanced to it.
    private func request(at seconds: Int64, lanes: Int = 8) -> LeaseRequest {
        clock.advance(to: TestClock.Instant(offset: .seconds(seconds)))
        return LeaseRequest(
            destinations: [.init("api", kinds: [OutboxRequest.kind.name])], now: now, lanes: lanes)
    }

    private func enqueue(_ id: String, _ address: String) async throws {
        let entry = OutboxRequest(.post, address).entry(.init(id), lane: id, to: "api", at: now)
        try await base.commit(Commit(enqueued: [entry]))
    }

    private func names(_ leased: LeaseResult) -> [String] { leased.lanes.map(\.lease.lane.name) }

    /// Returns the number of leases so far, including one that it takes itself.
    private func leases() async throws -> Int64 {
        let id = "probe \(UInt64.random(in: 0 ... .max))"
        let entry = OutboxEntry(
            id: .init(id), lane: id, kind: .init("probe"), payload: [], targets: .all("probe"), enqueuedAt: now)
        try await base.commit(Commit(enqueued: [entry]))
        var request = request(at: 0, lanes: 1)
        request.destinations = [.init("probe", kinds: ["probe"])]
        return try #require(try await base.lease(request).lanes.first).lease.number
    }

    @Test func entryThatNeedsTheAppIsReleasedAndExaminedOnce() async throws {
        for index in 0..<300 { try await enqueue("app \(index)", "notes") }
        for index in 0..<3 { try await enqueue("own \(index)", "https://example.com/notes") }
        let store = SelfContainedStore(base)
        #expect(names(try await store.lease(request(at: 0, lanes: 2))) == ["own 0", "own 1"])
        // The app gets the lane.
        let first = try await base.lease(request(at: 0, lanes: 1))
        #expect(names(first) == ["app 0"])
        var commit = Commit()
        commit.released = first.lanes.map(\.lease)
        try await base.commit(commit)
        let before = try await leases()
        for seconds in [0, 5, 10] as [Int64] {
            #expect(names(try await store.lease(request(at: seconds, lanes: 2))) == (seconds == 0 ? ["own 2"] : []))
        }
        #expect(try await leases() == before + 2)
    }

    /// The lanes are not examined one by one, each in a commit of its own.
    @Test func manyEntriesThatNeedTheAppTakeFewCommits() async throws {
        for index in 0..<1_000 { try await enqueue("app \(index)", "notes") }
        try await enqueue("own", "https://example.com/notes")
        let commits = CountingStore(base)
        #expect(names(try await SelfContainedStore(commits).lease(request(at: 0, lanes: 1))) == ["own"])
        #expect(commits.count < 30)
    }

    /// More lanes are examined than were requested.
    @Test func surplusLeasesAreReleased() async throws {
        for index in 0..<7 { try await enqueue("app \(index)", "notes") }
        for index in 0..<8 { try await enqueue("own \(index)", "https://example.com/notes") }
        let store = SelfContainedStore(base)
        #expect(names(try await store.lease(request(at: 0, lanes: 1))) == ["own 0"])
        #expect(names(try await base.lease(request(at: 0, lanes: 99))).filter { $0.hasPrefix("own") }.count == 7)
    }

    /// The draining process may be killed at any moment.
    @Test func unreleasedLeaseExpiresSoon() async throws {
        try await enqueue("app", "notes")
        try await enqueue("own", "https://example.com/notes")
        let failing = CountingStore(base, failsCommits: true)
        await #expect(throws: StoreError.self) { try await SelfContainedStore(failing).lease(request(at: 0)) }
        for (seconds, expected) in [(4, []), (5, ["app", "own"])] as [(Int64, [String])] {
            #expect(names(try await base.lease(request(at: seconds))) == expected, "after \(seconds) s")
        }
    }

    @Test func leaseLastsAsLongAsRequested() async throws {
        try await enqueue("own", "https://example.com/notes")
        #expect(names(try await SelfContainedStore(base).lease(request(at: 0))) == ["own"])
        for (seconds, expected) in [(59, []), (60, ["own"])] as [(Int64, [String])] {
            #expect(names(try await base.lease(request(at: seconds))) == expected, "after \(seconds) s")
        }
    }
}
