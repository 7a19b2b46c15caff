import Foundation
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfOutbox
import WharfStorage

@testable import WharfSQLite

/// Leases kept in memory, because the disk is full.
@Suite struct FullDiskTests {
    private let folder: Scratch
    private let clock = TestClock()
    private let isFull = Flag()

    init() throws { folder = try Scratch() }

    private func open(_ isFull: Flag? = nil) async throws -> SQLiteDataFile {
        var probe = SQLiteDataProbe()
        if let isFull { probe.isFull = { isFull.isSet } }
        return try await SQLiteDataFile.open(at: folder.path("data.sqlite"), probe: probe)
    }

    private func store(_ file: SQLiteDataFile) -> SQLiteWriteStore {
        SQLiteWriteStore(file, uptime: clock.uptime)
    }

    private func settlement(_ lane: LeasedLane, _ verdict: Settlement.Outcome) -> Commit {
        var commit = Commit()
        commit.settled = lane.deliveries.map {
            Settlement($0.id, under: lane.lease, verdict, attempts: 1, attemptedAt: WallTime(secondsSince1970: 100))
        }
        commit.released = [lane.lease]
        return commit
    }

    private let dead = Settlement.Outcome.dead(DeliveryFailure(.rejected, message: "no", status: 422))

    // MARK: The journal

    @Test func inMemoryLeaseIsGivenOncePerFile() async throws {
        let file = try await open(isFull)
        try await store(file).commit(Commit(enqueued: ["a", "b"].map { .sample($0, lane: $0) }))
        isFull.isSet = true
        let leased = try await store(file).lease(.sample())
        #expect(leased.isInMemory)
        #expect(leased.lanes.map(\.lease.lane.name) == ["a", "b"])
        #expect(try await store(file).lease(.sample()).lanes.isEmpty)
        isFull.isSet = false
        #expect(try await store(file).lease(.sample()) == LeaseResult())
        clock.advance(by: .seconds(61))
        #expect(try await store(file).lease(.sample()).lanes.count == 2)
        try await file.close()
    }

    @Test func settlementOnAFullDiskCountsOnceThereIsRoom() async throws {
        let file = try await open(isFull)
        let store = store(file)
        try await store.commit(Commit(enqueued: ["a", "b"].map { .sample($0, lane: $0) }))
        isFull.isSet = true
        let lanes = try await store.lease(.sample()).lanes
        let first = settlement(lanes[0], dead)
        let refused = await storeErrorCode { try await store.commit(first) }
        #expect(refused == .full)
        isFull.isSet = false
        try await store.commit(first)
        #expect(try await store.deadLetters(of: nil, after: nil, limit: 9).map(\.entry.id.text) == ["a"])
        // The other lease is in the journal now, and an entry in flight is not rewritten.
        var rewriting = Commit()
        rewriting.rewritten = [Rewrite(OutboxEntry.ID("b"), payload: [1])]
        let rewritten = await storeErrorCode { try await store.commit(rewriting) }
        #expect(rewritten == .changed)
        try await store.commit(settlement(lanes[1], .delivered))
        #expect(try await store.counts(of: nil).pending.isEmpty)
        #expect(try folder.count("SELECT count(*) FROM outbox_lane", in: "data.sqlite") == 0)
        try await file.close()
    }

    @Test func aLeaseInTheJournalIsExtendedInMemory() async throws {
        let file = try await open(isFull)
        let store = store(file)
        try await store.commit(Commit(enqueued: [.sample("a")]))
        let lane = try await store.lease(.sample()).lanes[0]
        isFull.isSet = true
        clock.advance(by: .seconds(40))
        #expect(try await store.extend([lane.lease], for: .seconds(60)) == [lane.lease])
        // The lease has expired according to the journal.
        clock.advance(by: .seconds(40))
        #expect(try await store.lease(.sample()).lanes.isEmpty)
        #expect(try await store.extend([lane.lease], for: .seconds(60)) == [lane.lease])
        isFull.isSet = false
        #expect(try await store.lease(.sample()).lanes.isEmpty)
        try await store.commit(settlement(lane, dead))
        #expect(try await store.counts(of: nil).dead.count == 1)
        try await file.close()
    }

    @Test func aFailedCommitForgetsTheLeasesThatItWrote() async throws {
        let file = try await open(isFull)
        let store = store(file)
        try await store.commit(Commit(enqueued: [.sample("a")]))
        isFull.isSet = true
        let lease = try await store.lease(.sample()).lanes[0].lease
        let refused = await storeErrorCode { try await store.commit(Commit(enqueued: [.sample("b", lane: "b")])) }
        #expect(refused == .full)
        // The number was rolled back, and another process may have it by now.
        #expect(file.unwritten.written(lease) == lease)
        isFull.isSet = false
        try await store.commit(Commit(enqueued: [.sample("b", lane: "b")]))
        #expect(file.unwritten.written(lease).number > 0)
        try await file.close()
    }

    @Test func aLeaseThatHasRunOutIsNotExtended() async throws {
        let file = try await open(isFull)
        let store = store(file)
        try await store.commit(Commit(enqueued: [.sample("a")]))
        isFull.isSet = true
        let first = try await store.lease(.sample()).lanes[0]
        clock.advance(by: .seconds(61))
        #expect(try await store.extend([first.lease], for: .seconds(60)).isEmpty)
        let second = try await store.lease(.sample()).lanes[0]
        isFull.isSet = false
        // The first holder's decision is ignored.
        try await store.commit(settlement(first, dead))
        #expect(try await store.counts(of: nil).dead.isEmpty)
        try await store.commit(settlement(second, dead))
        #expect(try await store.counts(of: nil).dead.count == 1)
        try await file.close()
    }

    @Test func inMemoryLeaseIsLostToALeaseOfAnotherFile() async throws {
        let (file, other) = (try await open(isFull), try await open())
        let (mine, theirs) = (store(file), store(other))
        try await mine.commit(Commit(enqueued: [.sample("a")]))
        isFull.isSet = true
        let first = try await mine.lease(.sample()).lanes[0]
        // As documented, another process does not see a lease in memory.
        let second = try await theirs.lease(.sample()).lanes[0]
        isFull.isSet = false
        try await mine.commit(settlement(first, dead))
        #expect(try await mine.counts(of: nil).dead.isEmpty)
        #expect(try await mine.extend([first.lease], for: .seconds(60)).isEmpty)
        try await theirs.commit(settlement(second, .delivered))
        #expect(try await mine.counts(of: nil).pending.isEmpty)
        try await other.close()
        try await file.close()
    }

    @Test func entitiesOfADeliveryAreDroppedAfterAPurge() async throws {
        let me = Account("me")
        let file = try await open(isFull)
        let store = store(file)
        try await store.commit(Commit(enqueued: [.sample("a", of: me)]))
        isFull.isSet = true
        let lane = try await store.lease(.sample(of: me)).lanes[0]
        isFull.isSet = false
        try await store.removeAll(of: me)
        var commit = settlement(lane, .delivered)
        commit.entities = [.put(.note("1", of: me))]
        try await store.commit(commit)
        #expect(try await store.row(EntityRow.note("1", of: me).key) == nil)
        try await file.close()
    }

    /// All laws of journals hold with leases in memory, except those about other processes and
    /// about failing writes.
    @Test(arguments: JournalLaws.all)
    func journalWithLeasesInMemoryKeepsLaw(law: Law<JournalLaws.Subject>) async throws {
        guard !Self.leftOut.contains(law.name) else { return }
        let files = Box<[SQLiteDataFile]>([])
        try await law.check(
            .init("SQLiteWriteStore on a full disk", remembering: 3) { [folder] clock in
                let full = Flag()
                var probe = SQLiteDataProbe()
                probe.isFull = { full.isSet }
                let path = folder.path("\(files.value.count).sqlite")
                let file = try await SQLiteDataFile.open(at: path, probe: probe)
                files.change { $0.append(file) }
                return StoreWithoutRoomForLeases(
                    base: SQLiteWriteStore(file, remembering: 3, uptime: clock), isFull: full)
            })
        for file in files.value { try await file.close() }
    }

    private static let leftOut: Set<String> = [
        "an expired entry is dropped when its lane is leased, and not handed out",
        "an escalation is due at once if the clock is set back to well before its entry came",
        "an escalation is due at its time and in its place, unless its entry was delivered by then",
        "an escalation comes at its time even if the target before it is dead",
    ]

    // MARK: The engine

    /// Advances the clock to the next commit attempt, but not so far that a lease expires before it
    /// is extended.
    private func letASettlementBeTriedAgain() {
        if let next = clock.nextDeadline, next <= clock.now.advanced(by: .seconds(15)) { clock.advance(to: next) }
    }

    @Test func aFullDiskDoesNotStopSending() async throws {
        let file = try await open(isFull)
        let api = RecordingDestination("api", kinds: ["edit"])
        let incidents = IncidentLog()
        var configuration = OutboxEngine.Configuration(uptime: clock.uptime, timer: clock)
        configuration.width = 4
        configuration.onIncident = incidents.handler
        let outbox = OutboxEngine(store: store(file), destinations: [api], configuration: configuration)
        try await outbox.enqueue(
            (0..<40).map { .sample("\($0)", lane: "\($0 % 10)") } + (0..<8).map { .sample("n\($0)", lane: "one") },
            changing: [])
        isFull.isSet = true
        outbox.start()
        await api.untilReceived(48)
        #expect(try await outbox.store.counts(of: nil).pending.values.reduce(0, +) == 48)
        #expect(incidents.codes.count { $0 == .leasesInMemory } == 1)
        isFull.isSet = false
        try await waitUntil {
            letASettlementBeTriedAgain()
            return try await outbox.store.counts(of: nil).pending.isEmpty
        }
        await outbox.close()
        #expect(api.received.count == 48)
        for lane in (0..<10).map(String.init) + ["one"] {
            let numbers = api.received.filter { $0.lane == lane }.map { Int($0.id.text.drop { $0 == "n" }) ?? -1 }
            #expect(numbers == numbers.sorted())
        }
        try await file.close()
    }

    @Test func aDrainReportsThatTheDiskIsFull() async throws {
        let file = try await open(isFull)
        let api = RecordingDestination("api", kinds: ["edit"])
        var configuration = OutboxEngine.Configuration(uptime: clock.uptime, timer: clock)
        configuration.width = 4
        let outbox = OutboxEngine(store: store(file), destinations: [api], configuration: configuration)
        try await outbox.enqueue((0..<8).map { .sample("\($0)", lane: "\($0)") }, changing: [])
        isFull.isSet = true
        let ended = Flag()
        async let code = storeErrorCode {
            defer { ended.isSet = true }
            _ = try await outbox.drain()
        }
        await api.untilReceived(8)
        await waitUntil {
            letASettlementBeTriedAgain()
            return ended.isSet
        }
        #expect(await code == .full)
        #expect(api.received.count == 8)
        await outbox.close()
        try await file.close()
    }
}

/// A store that has room for everything except leases.
///
/// It numbers leases in order, as the laws expect. Leases in memory have numbers of their own.
private struct StoreWithoutRoomForLeases: ForwardingWriteStore {
    let base: SQLiteWriteStore
    let isFull: Flag
    private let leases = Box<[Lease]>([])

    init(base: SQLiteWriteStore, isFull: Flag) {
        self.base = base
        self.isFull = isFull
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        isFull.isSet = true
        defer { isFull.isSet = false }
        var leased = try await base.lease(request)
        leased.isInMemory = false
        for index in leased.lanes.indices {
            let lease = leased.lanes[index].lease
            leases.change { $0.append(lease) }
            leased.lanes[index].lease = Lease(lane: lease.lane, number: Int64(leases.value.count))
        }
        return leased
    }

    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        isFull.isSet = true
        defer { isFull.isSet = false }
        let extended = try await base.extend(leases.map(own), for: duration)
        return Set(leases.filter { extended.contains(own($0)) })
    }

    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        var commit = commit
        for index in commit.settled.indices { commit.settled[index].lease = own(commit.settled[index].lease) }
        commit.released = commit.released.map(own)
        return try await base.commit(commit)
    }

    private func own(_ lease: Lease) -> Lease {
        let known = leases.value
        return known.indices.contains(Int(lease.number) - 1) ? known[Int(lease.number) - 1] : lease
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool {
        get { value.load(ordering: .sequentiallyConsistent) }
        set { value.store(newValue, ordering: .sequentiallyConsistent) }
    }
}
