import Foundation
import GRDB
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfOutbox
import WharfStorage

@testable import WharfSQLite

/// Each open file owns its leases, even if one process opens it twice. `OutboxProcessTests` shows
/// how a killed process appears to another one.
@Suite struct LeaseOwnerTests {
    private let folder: Scratch
    /// The clock of all stores.
    private let clock = TestClock()

    init() throws { folder = try Scratch() }

    private var ownerFiles: [String] {
        get throws { try folder.names.filter { $0.contains(".owner-") }.sorted() }
    }

    private func open(
        _ name: String = "data.sqlite", _ probe: SQLiteDataProbe = SQLiteDataProbe()
    ) async throws -> SQLiteDataFile {
        try await SQLiteDataFile.open(at: folder.path(name), probe: probe)
    }

    private func enqueue(_ lanes: String..., in file: SQLiteDataFile) async throws {
        try await SQLiteWriteStore(file).commit(Commit(enqueued: lanes.map { .sample($0, lane: $0) }))
    }

    private func lease(_ file: SQLiteDataFile, lanes: Int = 64) async throws -> [LeasedLane] {
        try await SQLiteWriteStore(file, uptime: clock.uptime).lease(.sample(lanes: lanes)).lanes
    }

    private func giveBack(_ lanes: [LeasedLane], _ file: SQLiteDataFile) async throws {
        var commit = Commit()
        commit.released = lanes.map(\.lease)
        try await SQLiteWriteStore(file).commit(commit)
    }

    // MARK: Death

    @Test func deadOwnersLanesAreFreeForTheNextOpenedFile() async throws {
        let dead = try await open()
        try await enqueue("a", "b", in: dead)
        #expect(try await lease(dead).count == 2)
        dead.killOwner()
        let next = try await open()
        #expect(try await lease(next, lanes: 1).count == 1)
        // The other lane is free as well, and the dead owner's file is removed.
        #expect(try await lease(next).count == 1)
        #expect(try ownerFiles.count == 1)
        try await next.close()
        try await dead.close()
    }

    @Test func aFileThatIsGoneWithoutBeingClosedIsADeadOwner() async throws {
        let next = try await open()
        do {
            let dead = try await open()
            try await enqueue("a", in: dead)
            #expect(try await lease(dead).count == 1)
            #expect(try await lease(next).isEmpty)
            // Keeps the file open until here.
            #expect(try await lease(dead).isEmpty)
        }
        // GRDB's queues hold the file for a moment longer.
        await waitUntil { (try? ownerFiles.isEmpty) == true }
        #expect(try await lease(next).count == 1)
        try await next.close()
    }

    @Test func ownerDeathIsReportedOnceAtTheNextPoll() async throws {
        let other = try await open()
        try await enqueue("a", in: other)
        #expect(try await lease(other).count == 1)
        let mine = try await openLooking(by: clock)
        var notifications = SQLiteWriteStore(mine).notifications().makeAsyncIterator()
        await clock.untilSleeping()
        other.killOwner()
        clock.advance(by: .seconds(1))
        #expect(await notifications.next() != nil)
        let owners = try await owners(in: mine)
        #expect(owners.count == 1 && mine.owners?.findDeath(among: owners) == false)
        #expect(try await lease(mine).count == 1)
        let own = try #require(mine.owners?.number)
        #expect(try await self.owners(in: mine) == [own])
        try await mine.close()
        try await other.close()
    }

    private func openLooking(by clock: TestClock) async throws -> SQLiteDataFile {
        try await SQLiteDataFile.open(at: folder.path("data.sqlite"), pollInterval: .seconds(1), clock: clock)
    }

    private func owners(in file: SQLiteDataFile) async throws -> [Int64] {
        try await file.read("look at owners") { try JournalReader(db: $0).owners(but: nil) }
    }

    /// The clock advances by one polling interval only, which is far less than the lease's 60 s.
    @Test func waitingEngineContinuesAfterAnOwnerDeath() async throws {
        let other = try await open()
        try await enqueue("a", in: other)
        let request = LeaseRequest(
            destinations: [.init("api", kinds: ["edit"])], now: clock.wall.now())
        #expect(try await SQLiteWriteStore(other, uptime: clock.uptime).lease(request).lanes.count == 1)
        // Opened after the commit, so that only the owner's death can wake the engine.
        let mine = try await openLooking(by: clock)
        let api = RecordingDestination("api", kinds: ["edit"])
        let engine = OutboxEngine(
            store: SQLiteWriteStore(mine, uptime: clock.uptime), destinations: [api],
            configuration: .init(clock: clock.wall, uptime: clock.uptime, timer: clock))
        engine.start()
        // The polling task and the engine's alarm.
        await waitUntil { clock.sleepers == 2 }
        #expect(api.received.isEmpty)
        other.killOwner()
        clock.advance(by: .seconds(1))
        await waitUntil { (try? await mine.isEmpty) == true }
        #expect(api.received.count == 1)
        await engine.close()
        try await mine.close()
        try await other.close()
    }

    // MARK: Life

    @Test(arguments: ["data.sqlite", "link.sqlite"])
    func anOwnerThatLivesKeepsItsLane(name: String) async throws {
        let first = try await open()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.sqlite"), withDestinationPath: folder.path("data.sqlite"))
        try await enqueue("a", in: first)
        let second = try await open(name)
        #expect(try await lease(second).count == 1)
        clock.advance(by: .seconds(59))
        #expect(try await lease(first).isEmpty)
        clock.advance(by: .seconds(2))
        #expect(try await lease(first).count == 1)
        #expect(try ownerFiles.count == 2)
        try await first.close()
        try await second.close()
    }

    @Test func closedFileKeepsLeasesItHasNotReturned() async throws {
        let first = try await open()
        try await enqueue("a", "b", in: first)
        let lanes = try await lease(first)
        try await giveBack([lanes[0]], first)
        try await first.close()
        // The request of the other lane may be in flight.
        let second = try await open()
        #expect(try await lease(second).map(\.lease.lane) == [lanes[0].lease.lane])
        clock.advance(by: .seconds(61))
        #expect(try await lease(second).count == 2)
        try await second.close()
    }

    @Test func closedFileWithoutLeasesLeavesNoOwnerFile() async throws {
        let file = try await open()
        #expect(try await lease(file).isEmpty)
        // No lane was leased, so no owner file is needed.
        #expect(try ownerFiles == [])
        try await enqueue("a", in: file)
        let lanes = try await lease(file)
        #expect(try ownerFiles.count == 1)
        #expect(try folder.mode(ownerFiles[0]) == 0o600)
        try await giveBack(lanes, file)
        try await file.close()
        #expect(try ownerFiles == [])
    }

    // MARK: Lock files

    @Test func ownerNumberIsUniqueAndDeadOwnerFilesAreSwept() async throws {
        let numbers = Box<[Int64]>([5, 5, 7])
        var probe = SQLiteDataProbe()
        probe.ownerNumber = {
            defer { numbers.change { $0.removeFirst() } }
            return numbers.value[0]
        }
        try Data().write(to: URL(fileURLWithPath: folder.path("data.sqlite.owner-3")))
        let (first, second) = (try await open("data.sqlite", probe), try await open("data.sqlite", probe))
        try await enqueue("a", "b", in: first)
        for file in [first, second] { #expect(try await lease(file, lanes: 1).count == 1) }
        #expect(try ownerFiles == ["data.sqlite.owner-5", "data.sqlite.owner-7"])
        try await first.close()
        try await second.close()
    }

    @Test func ownerWithoutAFileIsDeadUnlessTheDataFileMoved() throws {
        let path = folder.path("data.sqlite")
        try Data().write(to: URL(fileURLWithPath: path))
        let owners = LeaseOwners(path) { 1 }
        #expect(owners.isDead(9))
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("moved.sqlite"))
        #expect(!owners.isDead(9))
        #expect(!owners.findDeath(among: [9]))
    }

    @Test func lockLifeIsCheckedWithoutTakingTheLock() throws {
        let path = folder.path("lock")
        let lock = try #require(try FileLock.make(path))
        #expect(try FileLock.make(path) == nil)
        #expect(FileLock.life(path) == .mayLive)
        // Each child process has such a copy between its fork and its exec.
        let copy = dup(lock.descriptor)
        defer { close(copy) }
        lock.release()
        #expect(FileLock.life(path) == .dead)
        #expect(FileLock.life(path) == .noFile)
    }

    // MARK: Files of version 3

    @Test func aLeaseOfAnOlderFileEndsByTimeAlone() async throws {
        let queue = try DatabaseQueue(path: folder.path("data.sqlite"))
        try await queue.writeWithoutTransaction { [folder] db in
            try Schema.dataBeforeOwners.prepare(db, path: folder.path("data.sqlite"))
            try db.execute(
                sql: """
                    INSERT INTO outbox_state VALUES (1, 0, 7);
                    INSERT INTO outbox_entry VALUES (1, 'a', 1, 0, 0, 1, 0, '', 'a', 'edit', 1, NULL, 5, \
                    x'010001036170690000', NULL, NULL, x'07');
                    INSERT INTO outbox_route VALUES (1, '', 'api', 'edit', 1, 0, 0, 0, 0);
                    INSERT INTO outbox_lane VALUES (1, '', 'a', 'api', 1, 1, 1, 1, 5, 1, NULL, 5, 7, 'test', 60000000000, 1);
                    INSERT INTO outbox_delivery VALUES (1, 1, 1, 0, 0, NULL, NULL, NULL, 5, 7, NULL);
                    """)
        }
        try queue.close()
        let file = try await open()
        clock.advance(by: .seconds(59))
        #expect(try await lease(file).isEmpty)
        clock.advance(by: .seconds(2))
        let lanes = try await lease(file)
        #expect(lanes.map(\.lease.number) == [8])
        #expect(lanes.first?.deliveries.map(\.entry.id.text) == ["a"])
        try await giveBack(lanes, file)
        try await file.close()
        #expect(try folder.count("PRAGMA user_version", in: "data.sqlite") == 7)
        #expect(try ownerFiles == [])
    }
}

extension SQLiteDataFile {
    /// Releases the lock, as the kernel does when the process dies.
    func killOwner() {
        if let lock = owners?.lock { flock(lock.descriptor, LOCK_UN) }
    }

    fileprivate var isEmpty: Bool {
        get async throws { try await SQLiteWriteStore(self).counts(of: nil).pending.isEmpty }
    }
}
