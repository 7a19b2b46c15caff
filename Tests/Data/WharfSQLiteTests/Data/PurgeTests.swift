import Foundation
import GRDB
import Testing
import WharfCore
import WharfRandom
import WharfStorage

@testable import WharfSQLite

@Suite struct PurgeTests {
    private static let marks = ["mark-of-bytes", "mark-of-text", "mark-of-id", "mark-of-account"]
    private static let gone = Account("mark-of-account")
    private static let stays = Account("who stays")

    private func row(_ index: Int, of account: Account, _ random: inout SeededGenerator) -> EntityRow {
        let mine = account == Self.gone
        let bytes = Array(String(repeating: mine ? "mark-of-bytes" : "stays", count: 1 + Int(random.next() % 400)).utf8)
        let text = String(repeating: mine ? "mark-of-text" : "text", count: 1 + Int(random.next() % 20))
        return EntityRow(
            key: EntityKey(account: account, kind: "note", id: (mine ? "mark-of-id" : "id") + "-\(index)"),
            bytes: bytes,
            asOf: WallTime(nanoseconds: 1), fields: ["text": FieldValue(text), "index": FieldValue(Int64(index))])
    }

    /// The names of the marks that are in the file or beside it, as raw bytes.
    private func found(_ folder: Scratch) throws -> [String] {
        var bytes = Data()
        for name in try folder.names { bytes += try folder.contents(name) }
        return Self.marks.filter { bytes.range(of: Data($0.utf8)) != nil }
    }

    /// Puts, replaces and removes many rows, so that pages are split and freed with copies of the
    /// data in them.
    private func fill(_ store: SQLiteEntityStore) async throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<40 {
            var changes: [EntityChange] = []
            for _ in 0..<30 {
                let row = row(Int(random.next() % 300), of: random.next() % 2 == 0 ? Self.gone : Self.stays, &random)
                changes.append(random.next() % 4 == 0 ? .remove(row.key) : .put(row))
            }
            try await store.commit(changes)
        }
    }

    @Test func purgeLeavesNoByteOfTheAccount() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let store = SQLiteEntityStore(file)
        try await fill(store)
        // The full-text index contains the account's data as well.
        let search = RowQuery(.hasWords("text", SearchWords("mark")))
        #expect(try await !store.rows(search, of: Self.gone, kind: "note").isEmpty)
        #expect(try found(folder) == Self.marks)
        let before = try await store.rows(RowQuery(), of: Self.stays, kind: "note")
        try await store.removeAll(of: Self.gone)
        #expect(try found(folder) == [])
        #expect(try await store.rows(RowQuery(), of: Self.stays, kind: "note") == before)
        #expect(try await store.rows(RowQuery(), of: Self.gone, kind: "note").isEmpty)
        try await store.commit([.put(.note("1", of: Self.stays))])
        try await file.close()
        #expect(try found(folder) == [])
        #expect(
            try folder.count(
                "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'", in: "data.sqlite") == 0)
    }

    @Test func purgeBlockedByAReaderSucceedsAfterIt() async throws {
        let folder = try Scratch()
        let probe = SQLiteDataProbe(longestWait: 0.01)
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"), probe: probe)
        let store = SQLiteEntityStore(file)
        try await fill(store)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: folder.path("data.sqlite"), configuration: configuration)
        try await reader.writeWithoutTransaction { try $0.execute(sql: "BEGIN; SELECT count(*) FROM entity") }
        #expect(await storeErrorCode { try await store.removeAll(of: Self.gone) } == .unavailable)
        #expect(try await store.rows(RowQuery(), of: Self.gone, kind: "note").isEmpty)
        #expect(try found(folder) == Self.marks)
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try await store.removeAll(of: Self.gone)
        #expect(try found(folder) == [])
        try reader.close()
        try await file.close()
    }

    @Test func purgeOfAnUnknownAccountRewritesNothing() async throws {
        let folder = try Scratch()
        let rewritten = Box(0)
        let probe = SQLiteDataProbe { point in if point == .rewritten { rewritten.change { $0 += 1 } } }
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"), probe: probe)
        try await SQLiteEntityStore(file).removeAll(of: Self.gone)
        #expect(rewritten.value == 0)
        try await file.close()
    }
}
