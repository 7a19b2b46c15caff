import Dispatch
import Foundation
import GRDB
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStorage

@testable import WharfSQLite

@Suite struct DataFileTests {
    @Test func filesAreClosedToOtherUsers() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("new/deep/data.sqlite"))
        try await SQLiteEntityStore(file).commit([.put(.note("1"))])
        for name in ["data.sqlite", "data.sqlite-wal", "data.sqlite-shm", "data.sqlite.lock"] {
            #expect(try folder.mode("new/deep/" + name) == 0o600, "\(name)")
        }
        #expect(try folder.mode("new/deep") == 0o700)
        try await file.close()
    }

    @Test func dataFileUsesAFullySynchronousLog() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let synchronous = try await file.write("look") { try $0.integer("PRAGMA synchronous") }
        #expect(synchronous == 2)
        #expect(
            try await file.read("look") { try $0.query("PRAGMA journal_mode") { try $0.step() ? $0.text(0) : "" } }
                == "wal")
        try await file.close()
    }

    @Test(arguments: [0, 50, 100, 1000]) func corruptFileIsKeptAndTheErrorNamesSalvage(offset: Int) async throws {
        let folder = try Scratch()
        let path = folder.path("data.sqlite")
        let file = try await SQLiteDataFile.open(at: path)
        try await SQLiteEntityStore(file).commit([.put(.note("1"))])
        try await file.close()
        try folder.overwrite("data.sqlite", at: offset, with: [UInt8](repeating: 0xAA, count: 4096 - offset))
        let before = try folder.contents("data.sqlite")
        await #expect { _ = try await SQLiteDataFile.open(at: path) } throws: { error in
            guard let error = error as? StoreError, error.code == .corrupt else { return false }
            return error.message.contains(path) && error.message.contains("was left as it is")
                && error.message.contains("salvage")
        }
        #expect(try folder.contents("data.sqlite") == before)
        #expect(try folder.names.allSatisfy { $0.hasPrefix("data.sqlite") && !$0.contains("corrupt") })
    }

    @Test func fileWithOtherTablesIsCorrupt() async throws {
        let folder = try Scratch()
        try await SQLiteDataFile.open(at: folder.path("data.sqlite")).close()
        try folder.tamper("data.sqlite", "ALTER TABLE entity RENAME COLUMN bytes TO title")
        let code = await storeErrorCode { _ = try await SQLiteDataFile.open(at: folder.path("data.sqlite")) }
        #expect(code == .corrupt)
    }

    @Test func aLogWithoutItsFileIsNotThrownAway() async throws {
        let folder = try Scratch()
        let log = folder.path("data.sqlite-wal")
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: log))
        for makesEmpty in [false, true] {
            if makesEmpty { try Data().write(to: URL(fileURLWithPath: folder.path("data.sqlite"))) }
            let code = await storeErrorCode { _ = try await SQLiteDataFile.open(at: folder.path("data.sqlite")) }
            #expect(code == .corrupt)
            #expect(try folder.contents("data.sqlite-wal").count == 5000)
        }
    }

    @Test(arguments: ["PRAGMA user_version = 8", "PRAGMA application_id = 7"])
    func aFileThatIsNotItsOwnIsRefusedAndLeftAlone(sql: String) async throws {
        let folder = try Scratch()
        try await SQLiteDataFile.open(at: folder.path("data.sqlite")).close()
        try folder.tamper("data.sqlite", sql)
        let before = try folder.contents("data.sqlite")
        let code = await storeErrorCode { _ = try await SQLiteDataFile.open(at: folder.path("data.sqlite")) }
        #expect(code == .unavailable)
        #expect(try folder.contents("data.sqlite") == before)
    }

    @Test func cacheFileIsRefusedAsDataFile() async throws {
        let folder = try Scratch()
        try await SQLiteCacheStore.open(at: folder.path()) { _ in }.close()
        let before = try folder.contents("cache.sqlite")
        let code = await storeErrorCode { _ = try await SQLiteDataFile.open(at: folder.path()) }
        #expect(code == .unavailable)
        #expect(try folder.contents("cache.sqlite") == before)
    }

    @Test func aLockedFileIsUnavailableAndNotCorrupt() async throws {
        let folder = try Scratch()
        try await SQLiteDataFile.open(at: folder.path("data.sqlite")).close()
        let holder = try DatabaseQueue(path: folder.path("data.sqlite"))
        try await holder.writeWithoutTransaction { db in
            try db.execute(
                sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; INSERT INTO wipe VALUES (1); ROLLBACK")
        }
        let probe = SQLiteDataProbe(longestWait: 0.01)
        let code = await storeErrorCode {
            _ = try await SQLiteDataFile.open(at: folder.path("data.sqlite"), probe: probe)
        }
        #expect(code == .unavailable)
        try holder.close()
        try await SQLiteDataFile.open(at: folder.path("data.sqlite")).close()
    }

    @Test func olderSchemaIsMigrated() throws {
        let folder = try Scratch()
        let old = Schema(
            noun: "a file", applicationID: 7, objects: ["a": "CREATE TABLE a (b)"], steps: [["CREATE TABLE a (b)"]],
            census: nil)
        let new = Schema(
            noun: "a file", applicationID: 7, objects: ["a": "CREATE TABLE a (b)", "c": "CREATE TABLE c (d)"],
            steps: old.steps + [["CREATE TABLE c (d)", "INSERT INTO c SELECT b FROM a"]], census: nil)
        let queue = try DatabaseQueue(path: folder.path("old"))
        try queue.writeWithoutTransaction { db in
            try old.prepare(db, path: "old")
            try db.execute(sql: "INSERT INTO a VALUES (5)")
            try new.prepare(db, path: "old")
            #expect(try db.integer("SELECT d FROM c") == 5)
            #expect(try db.integer("PRAGMA user_version") == 2)
            try new.prepare(db, path: "old")
        }
        try queue.close()
    }

    @Test func closingWaitsForOpenCommitsAndRefusesNewCalls() async throws {
        let folder = try Scratch()
        let events = Box<[String]>([])
        let (entered, release) = (Gate(), DispatchSemaphore(value: 0))
        let probe = SQLiteDataProbe { point in
            guard point == .inTransaction else { return }
            Task { await entered.pass() }
            release.wait()
        }
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"), probe: probe)
        let store = SQLiteEntityStore(file)
        let changes = store.changes(of: nil, kind: "note", since: nil)
        let commit = Task {
            try await store.commit([.put(.note("1"))])
            events.change { $0.append("committed") }
        }
        await entered.arrivals()
        let close = Task {
            try await file.close()
            events.change { $0.append("closed") }
        }
        await waitUntil { file.usage.isClosed }
        #expect(await storeErrorCode { _ = try await store.row(.note("1")) } == .closed)
        release.signal()
        try await commit.value
        try await close.value
        #expect(events.value == ["committed", "closed"])
        var received: [ReportedKeys] = []
        for await change in changes { received.append(change.reported) }
        #expect(received == [.keys([.note("1")])])
        for await change in store.changes(of: nil, kind: "note", since: nil) { Issue.record("heard of \(change)") }
        #expect(await storeErrorCode { try await store.commit([]) } == .closed)
        #expect(await storeErrorCode { try await store.removeAll(of: nil) } == .closed)
        #expect(await storeErrorCode { _ = try await SQLiteKeyValueStore(file).value(for: "a") } == .closed)
        try await file.close()
    }
}
