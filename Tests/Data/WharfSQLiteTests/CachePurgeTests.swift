import Foundation
import GRDB
import Testing
import WharfCore
import WharfFakes
import WharfRandom
import WharfStorage

@testable import WharfSQLite

/// Removing an account removes its cached data from the disk.
@Suite struct CachePurgeTests {
    private static let gone = Account("mark-of-account")
    private static let stays = Account("who stays")
    private static let marks = ["mark-of-account", "mark-of-target", "mark-of-body", "mark-of-head"]

    /// The marks that are in the file or beside it, as raw bytes.
    private func found(_ folder: Scratch) throws -> [String] {
        var bytes = Data()
        for name in try folder.names { bytes += try folder.contents(name) }
        return Self.marks.filter { bytes.range(of: Data($0.utf8)) != nil }
    }

    private func key(_ index: Int, of account: Account) -> CacheKey {
        CacheKey(
            account: account,
            target: "https://a.test/" + (account == Self.gone ? "mark-of-target" : "target") + "/\(index)")
    }

    /// Puts, replaces and removes many entries, so that pages are split and freed with copies of
    /// the data in them.
    private func fill(_ store: SQLiteCacheStore) async throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<400 {
            let account = random.next() % 2 == 0 ? Self.gone : Self.stays
            let key = key(Int(random.next() % 60), of: account)
            if random.next() % 5 == 0 {
                try await store.removeAll(under: key)
                continue
            }
            let mine = account == Self.gone
            let body = String(repeating: mine ? "mark-of-body" : "body", count: 1 + Int(random.next() % 900))
            var fields = HTTPFields()
            fields[.server] = String(repeating: mine ? "mark-of-head" : "head", count: 1 + Int(random.next() % 30))
            let now = WallTime(secondsSince1970: 1)
            let head = StoredHead(
                response: HTTPResponse(status: .ok, headerFields: fields), requestedAt: now, respondedAt: now)
            let writer = try await store.begin(key, head)
            try await writer.append(Array(body.utf8))
            _ = try await writer.commit()
        }
    }

    private func kept(_ store: SQLiteCacheStore, of account: Account) async throws -> Int {
        var count = 0
        for index in 0..<60 {
            let found = try await store.lookup(key(index, of: account)) { $0.first.map { CacheSelection(id: $0.id) } }
            if found.body != nil { count += 1 }
        }
        return count
    }

    @Test func purgeLeavesNoByteOfTheAccount() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        try await fill(store)
        #expect(try found(folder) == Self.marks)
        let before = try await kept(store, of: Self.stays)
        try await store.removeAll(of: Self.gone)
        #expect(try found(folder) == [])
        #expect(try await kept(store, of: Self.stays) == before && before > 0)
        #expect(try await kept(store, of: Self.gone) == 0)
        try await store.close()
        #expect(try found(folder) == [])
    }

    @Test func purgeBlockedByAReaderIsFinishedAtTheNextOpen() async throws {
        let folder = try Scratch()
        var store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        try await fill(store)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: folder.path(), configuration: configuration)
        try await reader.writeWithoutTransaction { try $0.execute(sql: "BEGIN; SELECT count(*) FROM response") }
        let (open, gone) = (store, Self.gone)
        #expect(await storeErrorCode { try await open.removeAll(of: gone) } == .unavailable)
        #expect(try await kept(store, of: Self.gone) == 0)
        try await store.close()
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        #expect(try found(folder) == Self.marks)
        try reader.close()
        let incidents = IncidentLog()
        store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        #expect(incidents.codes.isEmpty)
        #expect(try found(folder) == [])
        try await store.close()
    }

    @Test func purgeErasesEntriesRemovedBefore() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        try await fill(store)
        for index in 0..<60 { try await store.removeAll(under: key(index, of: Self.gone)) }
        #expect(try found(folder) == Self.marks)
        try await store.removeAll(of: Self.gone)
        #expect(try found(folder) == [])
        try await store.close()
    }

    @Test func purgeDeletesTheFileSetAside() async throws {
        let folder = try Scratch()
        var store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        try await fill(store)
        try await store.close()
        try folder.tamper("cache.sqlite", "DROP INDEX response_key")
        store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        #expect(try found(folder) == Self.marks)
        try await store.removeAll(of: Self.gone)
        #expect(try found(folder) == [])
        #expect(try !folder.names.contains { $0.contains("corrupt") })
        try await store.close()
    }

    @Test func purgeRemovesTheFileOfABodyThatIsStillWritten() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let ended = try await store.begin(key(1, of: Self.gone), .sample)
        let other = try await store.begin(key(1, of: Self.stays), .sample)
        for writer in [ended, other] { try await writer.append(LargeBody.bytes(300_000)) }
        #expect(try folder.bodies.count == 2)
        try await store.removeAll(of: Self.gone)
        #expect(try folder.bodies.count == 1)
        #expect(await storeErrorCode { try await ended.append([1]) } == .closed)
        _ = try await other.commit()
        #expect(try await kept(store, of: Self.stays) == 1)
        try await store.close()
    }

    @Test func writerThatIsEndedDuringItsCommitLeavesNeitherEntryNorFile() async throws {
        let folder = try Scratch()
        let current = Box<SQLiteCacheStore?>(nil)
        let probe = SQLiteCacheProbe { point in
            // The first step of a purge, between the end of the body and the transaction of its
            // row. The other steps find no row.
            if point == .fileRenamed { current.value?.writers.end(of: Self.gone) }
        }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        current.change { $0 = store }
        let target = key(1, of: Self.gone).target
        #expect(
            await storeErrorCode {
                try await store.keepLarge(target, LargeBody.bytes(300_000), account: Self.gone)
            } == .closed)
        #expect(try await kept(store, of: Self.gone) == 0)
        #expect(try folder.bodies.isEmpty)
        try await store.keepLarge(key(1, of: Self.stays).target, LargeBody.bytes(300_000), account: Self.stays)
        #expect(try folder.bodies.count == 1)
        current.change { $0 = nil }
        try await store.close()
    }

    /// The purge runs beside the transaction of the row, before or after it.
    @Test func concurrentPurgeAndCommitLeaveNeitherEntryNorFile() async throws {
        let folder = try Scratch()
        let (current, purge) = (Box<SQLiteCacheStore?>(nil), Box<Task<Void, any Error>?>(nil))
        let probe = SQLiteCacheProbe { point in
            guard point == .fileRenamed, let store = current.value else { return }
            purge.change { $0 = Task { try await store.removeAll(of: Self.gone) } }
        }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        current.change { $0 = store }
        let target = key(1, of: Self.gone).target
        let refusal = await storeErrorCode {
            try await store.keepLarge(target, LargeBody.bytes(300_000), account: Self.gone)
        }
        #expect(refusal == nil || refusal == .closed)
        try await #require(purge.value).value
        #expect(try await kept(store, of: Self.gone) == 0)
        #expect(try folder.bodies.isEmpty)
        current.change { $0 = nil }
        try await store.close()
    }

    @Test func cacheOfAnEarlierVersionIsKept() async throws {
        let folder = try Scratch()
        var store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        try await fill(store)
        let before = try await kept(store, of: Self.stays)
        try await store.close()
        try folder.tamper(
            "cache.sqlite",
            "DROP INDEX response_key; ALTER TABLE response DROP COLUMN site; "
                + "CREATE UNIQUE INDEX response_key ON response (account, target, method, varying); "
                + "DROP TRIGGER response_file_removed; DROP TABLE body_file; DROP TABLE removed_file; DROP TABLE wipe; "
                + "PRAGMA user_version = 1")
        let incidents = IncidentLog()
        store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        #expect(incidents.codes.isEmpty)
        #expect(try await kept(store, of: Self.stays) == before)
        try await store.removeAll(of: Self.gone)
        #expect(try found(folder) == [])
        try await store.close()
    }
}
