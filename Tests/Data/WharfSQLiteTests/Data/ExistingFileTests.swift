import Foundation
import GRDB
import Testing
import WharfCore
import WharfStorage

@testable import WharfSQLite

/// Data files that tools open without a migration.
@Suite struct ExistingFileTests {
    private let folder: Scratch
    private var path: String { folder.path("data.sqlite") }

    init() throws { folder = try Scratch() }

    private func make(_ entries: OutboxEntry...) async throws {
        let file = try await SQLiteDataFile.open(at: path)
        try await SQLiteWriteStore(file).commit(Commit(enqueued: entries))
        try await file.close()
    }

    private func message(_ access: SQLiteDataFile.Access) async -> String {
        do {
            try await SQLiteDataFile.open(existing: path, for: access, patience: .zero).close()
            return "opened"
        } catch {
            return "\(error.code): \(error.message)"
        }
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min)])
    func patienceOfAnyLengthIsAccepted(patience: Duration) async throws {
        try await make(.sample("1"))
        for access in [SQLiteDataFile.Access.reading, .writing] {
            try await SQLiteDataFile.open(existing: path, for: access, patience: patience).close()
        }
    }

    @Test(arguments: [SQLiteDataFile.Access.reading, .writing])
    func openingAMissingFileMakesNothing(access: SQLiteDataFile.Access) async throws {
        #expect(await message(access).hasPrefix("unavailable: there is no data file at \(path)"))
        #expect(try folder.names == [])
    }

    @Test func readOnlyOpenChangesNoByteAndRefusesWrites() async throws {
        try await make(.sample("1"))
        let before = try folder.contents("data.sqlite")
        let file = try await SQLiteDataFile.open(existing: path, for: .reading)
        let store = SQLiteWriteStore(file)
        #expect(try await store.record(of: .init("1"))?.entry == .sample("1"))
        let code = await storeErrorCode { try await store.commit(Commit(enqueued: [.sample("2")])) }
        #expect(code == .unavailable)
        try await file.close()
        #expect(try folder.contents("data.sqlite") == before)
        #expect(
            Set(try folder.names).isSubset(of: [
                "data.sqlite", "data.sqlite-wal", "data.sqlite-shm", "data.sqlite.lock",
            ]))
    }

    /// The state after a kill: all commits are in the log, and no process has the file open.
    @Test(arguments: [true, false])
    func readOnlyOpenSeesCommitsInTheLog(hasIndex: Bool) async throws {
        let open = try await SQLiteDataFile.open(at: folder.path("open.sqlite"))
        try await SQLiteWriteStore(open).commit(Commit(enqueued: [.sample("1")]))
        for suffix in ["", "-wal"] + (hasIndex ? ["-shm"] : []) {
            try FileManager.default.copyItem(atPath: folder.path("open.sqlite" + suffix), toPath: path + suffix)
        }
        let (before, log) = (try folder.contents("data.sqlite"), try folder.contents("data.sqlite-wal"))
        let file = try await SQLiteDataFile.open(existing: path, for: .reading)
        #expect(try await SQLiteWriteStore(file).record(of: .init("1")) != nil)
        try await file.close()
        #expect(try folder.contents("data.sqlite") == before)
        #expect(try folder.contents("data.sqlite-wal") == log)
        try await open.close()
    }

    @Test func readOnlyOpenIsNotBlockedByAWriter() async throws {
        try await make(.sample("1"))
        let writer = try await SQLiteDataFile.open(at: path)
        try await SQLiteWriteStore(writer).commit(Commit(enqueued: [.sample("2")]))
        let lock = try await FileLock.acquire(path + ".lock", doing: "test")
        let reader = try await SQLiteDataFile.open(existing: path, for: .reading, patience: .zero)
        #expect(try await SQLiteWriteStore(reader).records(of: nil, after: nil, limit: 10).count == 2)
        #expect(await message(.writing).hasPrefix("unavailable: could not take the lock \(path).lock within"))
        lock.release()
        #expect(await message(.writing) == "opened")
        try await reader.close()
        try await writer.close()
    }

    @Test func releasedLockIsFreeDespiteAnInheritedCopy() async throws {
        let lock = try await FileLock.acquire(path + ".lock", doing: "test")
        // Each child process has such a copy between its fork and its exec.
        let copy = dup(lock.descriptor)
        defer { close(copy) }
        lock.release()
        try await FileLock.acquire(path + ".lock", doing: "test", patience: .zero).release()
    }

    @Test(arguments: [
        ("PRAGMA user_version = 1", "unavailable: could not open a data file of version 7"),
        ("PRAGMA user_version = 9", "unavailable: could not open a data file of version 7"),
        ("PRAGMA application_id = 7", "unavailable: could not open a data file at"),
        ("ALTER TABLE entity RENAME COLUMN bytes TO title", "corrupt: the tables of a data file"),
    ])
    func aFileOfAnotherVersionOrOwnerIsLeftAsItIs(change: String, expected: String) async throws {
        try await make(.sample("1"))
        try folder.tamper("data.sqlite", change)
        let before = try folder.contents("data.sqlite")
        for access in [SQLiteDataFile.Access.reading, .writing] {
            let found = await message(access)
            #expect(found.hasPrefix(expected), "\(found)")
        }
        #expect(try folder.contents("data.sqlite") == before)
    }

    @Test(arguments: [
        "", "just text, long enough for a header of a database, and for some more than that, a hundred bytes or so",
    ])
    func nonDatabaseFileIsLeftUnchanged(text: String) async throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        for access in [SQLiteDataFile.Access.reading, .writing] {
            #expect(await message(access).hasPrefix("unavailable: the file at \(path) is not a data file"))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(!(try folder.names.contains("data.sqlite.lock")))
    }

    /// SQLite drops the log of a file without pages, although the log may contain all data.
    @Test func aLogBesideAnEmptyFileIsKept() async throws {
        let open = try await SQLiteDataFile.open(at: folder.path("open.sqlite"))
        try await SQLiteWriteStore(open).commit(Commit(enqueued: [.sample("1")]))
        try FileManager.default.copyItem(atPath: folder.path("open.sqlite-wal"), toPath: path + "-wal")
        try await open.close()
        try "".write(toFile: path, atomically: false, encoding: .utf8)
        let log = try folder.contents("data.sqlite-wal")
        try #require(!log.isEmpty)
        for access in [SQLiteDataFile.Access.reading, .writing] {
            let found = await message(access)
            #expect(
                found.hasPrefix("corrupt: the data file \(path) is missing or empty, but its log \(path)-wal"),
                "\(found)")
        }
        #expect(try folder.contents("data.sqlite-wal") == log)
        #expect(!(try folder.names.contains("data.sqlite.lock")))
    }

    @Test func accountsAreThoseWithEntriesOrAPause() async throws {
        let file = try await SQLiteDataFile.open(at: path)
        let store = SQLiteWriteStore(file)
        #expect(try await store.accounts() == [])
        var entry = OutboxEntry.sample("1")
        entry.account = Account("")
        var commit = Commit(enqueued: [entry, .sample("2")])
        commit.paused = [PausedDestination("mail", of: Account("anna")): OutboxPause(since: .distantPast)]
        try await store.commit(commit)
        #expect(try await store.accounts() == [nil, Account(""), Account("anna")])
        #expect(try await store.destinations(of: nil) == ["api"])
        #expect(try await store.destinations(of: Account("anna")) == ["mail"])
        #expect(try await store.destinations(of: Account("bob")) == [])
        try await file.close()
    }
}
