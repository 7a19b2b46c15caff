import Dispatch
import GRDB
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfStorage

@testable import WharfSQLite

@Suite struct WriteStoreTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func open(_ probe: SQLiteDataProbe = SQLiteDataProbe()) async throws -> SQLiteDataFile {
        try await SQLiteDataFile.open(at: folder.path("data.sqlite"), probe: probe)
    }

    @Test func concurrentCommitsShareOneTransaction() async throws {
        let begun = Box(0)
        let (entered, release) = (Gate(), DispatchSemaphore(value: 0))
        let file = try await open(
            SQLiteDataProbe { point in
                guard point == .inTransaction else { return }
                begun.change { $0 += 1 }
                if begun.value == 1 {
                    Task { await entered.pass() }
                    release.wait()
                }
            })
        let store = SQLiteWriteStore(file)
        let first = Task { try await store.commit(Commit(enqueued: [.sample("first")])) }
        await entered.arrivals()
        let others = (0..<20).map { index in
            let entries = [OutboxEntry.sample("one of \(index)"), .sample("\(index % 19)")]
            return Task { await storeErrorCode { try await store.commit(Commit(enqueued: entries)) } }
        }
        await waitUntil { file.commits.count >= 20 }
        release.signal()
        _ = try await first.value
        var codes: [StoreError.Code?] = []
        for other in others { codes.append(await other.value) }
        // One commit had an id of another, and did not make the rest of the group fail.
        #expect(codes.filter { $0 == .changed }.count == 1)
        #expect(codes.filter { $0 == nil }.count == 19)
        #expect(begun.value == 2)
        #expect(try await store.counts(of: nil).pending.values.reduce(0, +) == 39)
        for table in ["entry", "delivery"] {
            #expect(try folder.count("SELECT count(*) FROM outbox_\(table)", in: "data.sqlite") == 39)
        }
        try await file.close()
    }

    @Test func commitOnAFullDiskIsRolledBackWhole() async throws {
        let file = try await open(SQLiteDataProbe(pageLimit: 120))
        let store = SQLiteWriteStore(file)
        try await store.commit(Commit(enqueued: [.sample("kept", 20_000)]))
        let large = Commit(entities: [.put(.note("1"))], enqueued: [.sample("small"), .sample("large", 600_000)])
        #expect(await storeErrorCode { try await store.commit(large) } == .full)
        #expect(try await store.record(of: OutboxEntry.ID("small")) == nil)
        #expect(try await store.row(.note("1")) == nil)
        try await store.commit(Commit(enqueued: [.sample("small")]))
        #expect(
            try await store.lease(.sample(entries: 10)).lanes.map { $0.deliveries.map(\.entry.id.text) } == [
                ["kept", "small"]
            ])
        try await file.close()
    }

    @Test func oversizedCommitDoesNotFailConcurrentCommits() async throws {
        let begun = Box(0)
        let (entered, release) = (Gate(), DispatchSemaphore(value: 0))
        let probe = SQLiteDataProbe(pageLimit: 200) { point in
            guard point == .inTransaction else { return }
            begun.change { $0 += 1 }
            if begun.value == 1 {
                Task { await entered.pass() }
                release.wait()
            }
        }
        let file = try await open(probe)
        let store = SQLiteWriteStore(file)
        let first = Task { try await store.commit(Commit(enqueued: [.sample("first")])) }
        await entered.arrivals()
        let entries = (0..<9).map { OutboxEntry.sample("\($0)", $0 == 4 ? 2_000_000 : 10) }
        let others = entries.map { entry in
            Task { await storeErrorCode { try await store.commit(Commit(enqueued: [entry])) } }
        }
        await waitUntil { file.commits.count >= 9 }
        release.signal()
        _ = try await first.value
        for (entry, other) in zip(entries, others) {
            #expect(await other.value == (entry.payload.count > 10 ? .full : nil))
        }
        #expect(try await store.counts(of: nil).pending.values.reduce(0, +) == 9)
        try await file.close()
    }

    /// Two files on one path, as in two processes.
    @Test func laneIsNeverLeasedByTwoFilesAtOnce() async throws {
        let (one, two) = (try await open(), try await open())
        let stores = [SQLiteWriteStore(one), SQLiteWriteStore(two)]
        let entries = (0..<200).map { OutboxEntry.sample("\($0)", lane: "lane \($0 % 10)") }
        try await stores[0].commit(Commit(enqueued: entries))
        let delivered = Box<[String: [String]]>([:])
        let held = Box<Set<Lease.Lane>>([])
        let twice = Box(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<4 {
                group.addTask {
                    let store = stores[index % 2]
                    while true {
                        let lanes = try await store.lease(.sample(lanes: 3, entries: 4)).lanes
                        if lanes.isEmpty, try await store.counts(of: nil).pending.isEmpty { return }
                        for lane in lanes {
                            held.change { if !$0.insert(lane.lease.lane).inserted { twice.change { $0 += 1 } } }
                        }
                        for lane in lanes {
                            delivered.change {
                                $0[lane.lease.lane.name, default: []] += lane.deliveries.map(\.entry.id.text)
                            }
                            held.change { _ = $0.remove(lane.lease.lane) }
                            var commit = Commit()
                            commit.settled = lane.deliveries.map {
                                Settlement($0.id, under: lane.lease, .delivered, attempts: 1, attemptedAt: .distantPast)
                            }
                            commit.released = [lane.lease]
                            try await store.commit(commit)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(twice.value == 0)
        for (name, ids) in delivered.value { #expect(ids == entries.filter { $0.lane == name }.map(\.id.text)) }
        #expect(delivered.value.count == 10)
        for table in ["entry", "lane", "delivery", "dead", "waiting", "settled", "dependency"] {
            #expect(try folder.count("SELECT count(*) FROM outbox_\(table)", in: "data.sqlite") == 0, "\(table)")
        }
        try await one.close()
        try await two.close()
    }

    @Test func commitOfAnotherFileIsNewsAtTheNextPoll() async throws {
        let clock = TestClock()
        let mine = try await SQLiteDataFile.open(
            at: folder.path("data.sqlite"), pollInterval: .seconds(3), clock: clock)
        let other = try await open()
        var notifications = SQLiteWriteStore(mine).notifications().makeAsyncIterator()
        try await SQLiteWriteStore(other).commit(Commit(enqueued: [.sample("1")]))
        await clock.untilSleeping()
        clock.advance(by: .seconds(3))
        #expect(await notifications.next() != nil)
        try await SQLiteWriteStore(mine).commit(Commit(enqueued: [.sample("2")]))
        #expect(await notifications.next() != nil)
        try await mine.close()
        #expect(await notifications.next() == nil)
        try await other.close()
    }

    @Test func unreleasedEmptyLaneIsRemovedAfterItsLease() async throws {
        let file = try await open()
        let clock = TestClock()
        let store = SQLiteWriteStore(file, uptime: clock.uptime)
        try await store.commit(Commit(enqueued: [.sample("1")]))
        let lane = try #require(try await store.lease(.sample()).lanes.first)
        var commit = Commit()
        commit.settled = [
            Settlement(lane.deliveries[0].id, under: lane.lease, .delivered, attempts: 1, attemptedAt: .distantPast)
        ]
        try await store.commit(commit)
        #expect(try folder.count("SELECT count(*) FROM outbox_lane", in: "data.sqlite") == 1)
        clock.advance(by: .seconds(10))
        _ = try await store.lease(.sample())
        #expect(try folder.count("SELECT count(*) FROM outbox_lane", in: "data.sqlite") == 1)
        clock.advance(by: .seconds(51))
        _ = try await store.lease(.sample())
        #expect(try folder.count("SELECT count(*) FROM outbox_lane", in: "data.sqlite") == 0)
        try await file.close()
    }
}

extension OutboxEntry {
    static func sample(_ id: String, _ size: Int = 10, lane: String = "lane", of account: Account? = nil) -> OutboxEntry
    {
        var entry = OutboxEntry(
            id: ID(id), lane: lane, kind: .init("edit"), payload: [UInt8](repeating: 7, count: size),
            targets: .all("api"), enqueuedAt: WallTime(secondsSince1970: 1))
        entry.account = account
        return entry
    }
}

extension LeaseRequest {
    static func sample(
        of account: Account? = nil, lanes: Int = 64, entries: Int = 64
    ) -> LeaseRequest {
        LeaseRequest(
            account: account, destinations: [.init("api", kinds: ["edit"])], now: WallTime(secondsSince1970: 100),
            lanes: lanes, entries: entries)
    }
}
